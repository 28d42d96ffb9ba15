import type { Judgement, ProducerRef } from '../../src/continuity/judgement.ts';
import type { CallEnd, CallError, CallFacts, Dialect, RequestInput } from '../../src/dialects/dialect.ts';
import { factsOf, judgementOf } from '../emit/judgements.ts';

export interface Script {
  /** Of the request alone; then of the whole call. */
  readonly request?: Judgement;
  readonly answered?: Judgement;
  readonly facts?: Partial<CallFacts>;
  readonly answeredFacts?: Partial<CallFacts>;
  readonly isChunk?: (event: unknown) => boolean;
  /** Throws where named. */
  readonly fails?: readonly string[];
}

/** What a dialect was given. */
export interface Heard {
  readonly requests: RequestInput[];
  readonly producers: ProducerRef[];
  readonly events: unknown[];
  readonly responses: unknown[];
  readonly errors: CallError[];
  readonly ends: CallEnd[];
}

/**
 * A dialect that says what it is told to say: observation knows no rule of any provider, so a script is enough to test
 * it, and can say what a real provider's rules would say only seldom.
 */
export function scriptedDialect(script: Script = {}): { readonly dialect: Dialect; readonly heard: Heard } {
  const heard: Heard = { requests: [], producers: [], events: [], responses: [], errors: [], ends: [] };
  const mayFail = (method: string) => {
    // The message quotes content, as messages of real parsers do.
    if (script.fails?.includes(method)) throw new SyntaxError('Unexpected token in "MARKER of a prompt"');
  };
  const dialect: Dialect = {
    api: 'anthropic.messages',
    open(request, _ledger, producer) {
      mayFail('open');
      if (typeof request.body !== 'object') return undefined;
      heard.requests.push(request);
      if (producer) heard.producers.push(producer);
      let answered = false;
      const judgement = () => (answered ? script.answered : undefined) ?? script.request ?? judgementOf();
      return {
        facts() {
          mayFail('facts');
          return factsOf({ ...script.facts, ...(answered ? script.answeredFacts : undefined) });
        },
        judgement() {
          mayFail('judgement');
          return judgement();
        },
        event(event) {
          mayFail('event');
          heard.events.push(event);
          answered = true;
        },
        response(message) {
          mayFail('response');
          heard.responses.push(message);
          answered = true;
        },
        error(error) {
          mayFail('error');
          heard.errors.push(error);
          answered = true;
        },
        close(end) {
          mayFail('close');
          heard.ends.push(end);
          return judgement();
        },
      };
    },
    ...(script.isChunk && { isChunk: script.isChunk }),
  };
  return { dialect, heard };
}
