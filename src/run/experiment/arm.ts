import type { ApiName } from '../../dialects/dialect.ts';
import { isJson } from './json.ts';
import { openDoors } from './open-doors.ts';
import { currentRun, type RunRecord } from './run-record.ts';

/** What an agent gets for one run. */
export interface Arm {
  /** `intact`, `stripped`; as it stands on metrics. */
  readonly name: string;
  /** Of this run: the same for the same seed, task and arm. For agents with chance in them. */
  readonly seed: string;
  /**
   * The client that the agent is to use: the very object given, of `@anthropic-ai/sdk`, `openai`, `@google/genai` or
   * `@aws-sdk/client-bedrock-runtime` (Converse). Its
   * requests pass through the run that makes them; outside a run they go out as ever. Where the client is instrumented by
   * hand, do that first.
   * @throws ExperimentError where it is none
   */
  client<Client extends object>(client: Client): Client;
  /**
   * For requests that no such client sends: the body that is to be sent in place of the one given. In an arm that carries
   * reasoning it is the one given.
   */
  strip<Body>(api: ApiName, body: Body): Body;
}

/** @param opened takes what is to be called when the experiment is over */
export function createArm(name: string, seed: string, record: RunRecord, opened: (close: () => void) => void): Arm {
  return {
    name,
    seed,
    client(client) {
      opened(openDoors(client));
      return client;
    },
    // What is stripped has fewer elements of the same types: the shape is the API's, as before.
    strip: <Body>(api: ApiName, body: Body) => (isJson(body) ? (record.send(api, body) as Body) : body),
  };
}

/** Code of the caller's that is no part of the run, as a judge that asks a model. */
export const outsideRun = <R>(fn: () => R): R => currentRun.exit(fn);
