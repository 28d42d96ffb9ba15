import type { Digest } from './digest.ts';
import type { ToolCallSeen } from './judgement.ts';
import type { Ledger } from './ledger.ts';

/** A tool call that a response makes. */
export interface ToolCallMade {
  readonly name: string;
  /** Of its name and its arguments in their canonical form: equal for calls that ask for the same. */
  readonly key: Digest;
}

/** Notes the calls of a response in its run, and tells which of them repeat an earlier one. */
export function noteToolCalls(made: Iterable<ToolCallMade>, ledger: Ledger, runId: string): readonly ToolCallSeen[] {
  const { calls } = ledger.run(runId);
  const seen: ToolCallSeen[] = [];
  for (const { name, key } of made) {
    seen.push({ name, repeated: calls.has(key) });
    calls.add(key);
  }
  return seen;
}
