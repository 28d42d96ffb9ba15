import { digest, isWire, type Wire } from '../json.ts';
import { canonicalBlocks, canonicalSystem, canonicalTool } from './canonical.ts';
import type { JoinedMessage, Role } from './request.ts';

/** What stood before a block when it was created: system, tools, every earlier message. */
export interface PrefixRecord {
  readonly system: string;
  readonly tools: string;
  /** Digest over all earlier messages. */
  readonly state: string;
  /** The first message and how many there were: only to say what kind of change it was. */
  readonly first: string;
  readonly count: number;
}

export interface PrefixWalk {
  /** The prefix of anything in the message at this index; at `messages.length`, of the answer to come. */
  at(index: number): PrefixRecord;
  /** The states a block at this index may also have, when its turn was kept across on-demand compactions. */
  keptStates(index: number): readonly string[];
}

export interface PrefixInput {
  readonly system: unknown;
  readonly tools: readonly Wire[];
  /** From the latest compaction on, where there is one. */
  readonly messages: readonly JoinedMessage[];
  /** States recorded by the compaction block that `messages` begins with. */
  readonly kept?: readonly (readonly string[])[];
}

export function walkPrefix({ system, tools, messages, kept }: PrefixInput): PrefixWalk {
  const systemDigest = digest('system', canonicalSystem(system));
  const toolsAt = toolSets(tools);
  const records: PrefixRecord[] = [];
  const keptAt: string[][] = [];
  const main = roller();
  // A kept turn goes on from a state inside the summarised conversation, as if the summary were not there.
  const rollers = (kept ?? []).flat().map(roller);
  let references: readonly string[] = [];
  let first = '';
  for (const [index, message] of messages.entries()) {
    records.push({ system: systemDigest, tools: toolsAt(references), state: main.state(), first, count: main.count() });
    keptAt.push(rollers.map(({ state }) => state()));
    const blocks = canonicalBlocks(message.blocks);
    main.add(message.role, blocks);
    if (!(kept && index === 0)) for (const { add } of rollers) add(message.role, blocks);
    if (first === '' && blocks.length > 0) first = digest(message.role, ...blocks);
    references = [...references, ...message.blocks.flatMap(({ block }) => toolReferences(block))];
  }
  records.push({ system: systemDigest, tools: toolsAt(references), state: main.state(), first, count: main.count() });
  keptAt.push(rollers.map(({ state }) => state()));
  const at = (index: number): PrefixRecord => {
    const record = records[index];
    if (record === undefined) throw new RangeError(`no message at ${index}`);
    return record;
  };
  return { at, keptStates: (index) => keptAt[index] ?? [] };
}

interface Roller {
  add(role: Role, blocks: readonly string[]): void;
  state(): string;
  count(): number;
}

/** Rolls messages into one digest; consecutive messages of one role count as one, empty ones as none. */
function roller(start = 'start'): Roller {
  let completed = start;
  let count = 0;
  let open: { role: Role; blocks: string[] } | undefined;
  const state = (): string => (open ? digest(completed, open.role, ...open.blocks) : completed);
  return {
    add(role, blocks) {
      if (blocks.length === 0) return;
      if (open?.role === role) {
        open.blocks.push(...blocks);
        return;
      }
      completed = state();
      open = { role, blocks: [...blocks] };
      count += 1;
    },
    state,
    count: () => count,
  };
}

/** Deferred tools join the set once something refers to them; order never matters. */
function toolSets(tools: readonly Wire[]): (references: readonly string[]) => string {
  const entries = tools.map((tool) => ({
    name: String(tool.name ?? tool.mcp_server_name ?? tool.type),
    deferred: tool.defer_loading === true,
    canonical: canonicalTool(tool),
  }));
  const cache = new Map<string, string>();
  return (references) => {
    const set = entries.filter(({ name, deferred }) => !deferred || references.includes(name));
    const key = set.map(({ name }) => name).join('\n');
    let known = cache.get(key);
    if (known === undefined) {
      known = digest('tools', ...set.map(({ canonical }) => canonical).sort());
      cache.set(key, known);
    }
    return known;
  };
}

/** Names of tools that a block calls, loads or adds. */
function toolReferences(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(toolReferences);
  if (!isWire(value)) return [];
  if (value.type === 'tool_use') return [String(value.name)];
  if (value.type === 'tool_reference') return [String(value.tool_name ?? value.name)];
  return [value.content, value.tool, value.tool_references].flatMap(toolReferences);
}

export type PrefixDifference = 'system' | 'tools' | 'first_message' | 'missing' | 'added' | 'changed';

/** How a record differs from what now stands before the block; undefined when it does not. */
export function prefixDifference(recorded: PrefixRecord, present: PrefixRecord): PrefixDifference | undefined {
  if (recorded.system !== present.system) return 'system';
  if (recorded.tools !== present.tools) return 'tools';
  if (recorded.state === present.state) return undefined;
  if (present.count < recorded.count) return 'missing';
  if (recorded.first !== present.first) return 'first_message';
  return present.count > recorded.count ? 'added' : 'changed';
}
