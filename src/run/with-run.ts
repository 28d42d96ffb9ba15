import { bracket, type Run, type RunOptions } from './bracket.ts';

/**
 * Brackets one task of an agent. On its span, `invoke_agent {name}` (or that of the SDK's tool runner, inside which it is
 * called), stand the worst continuity and the sums of all model calls that `fn` makes, in whatever it awaits; runs may
 * stand side by side and inside one another. Everything works without it; then a run is the chain of calls that send one
 * another's blocks again.
 *
 * @param fn gets the run, to say how it ended. A call that outlasts it, such as a stream that it returns, still belongs to
 *   the run.
 * @returns what `fn` returns: the value, a promise that settles alike, or the same generator or promise of another class.
 *   What `fn` throws is thrown. Where everything is switched off, `fn` is called and nothing else happens.
 */
export const withRun = <T>(options: RunOptions, fn: (run: Run) => T): T => bracket(options, {}, fn);
