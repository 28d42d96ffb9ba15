import { createAnthropicMessages } from './anthropic-messages/api.ts';
import type { AnthropicOptions } from './anthropic-messages/context.ts';
import { createBedrockConverse } from './bedrock-converse/api.ts';
import type { ConverseOptions } from './bedrock-converse/context.ts';
import { createGeminiGenerate } from './gemini-generate/api.ts';
import type { GeminiOptions } from './gemini-generate/context.ts';
import { createGeminiInteractions } from './gemini-interactions/api.ts';
import type { InteractionsOptions } from './gemini-interactions/context.ts';
import type { Exchange, Reply, SimulatedApi } from './http/exchange.ts';
import { listen } from './http/listen.ts';
import { createOpenAiChat } from './openai-chat/api.ts';
import type { ChatOptions } from './openai-chat/context.ts';
import { createOpenAiResponses } from './openai-responses/api.ts';
import type { ResponsesOptions } from './openai-responses/context.ts';
import { NO_VERDICT, type Verdict } from './verdict.ts';

export interface SimulatorOptions {
  /** Default 0: any free port. */
  readonly port?: number;
  /** Ids, seals and texts follow from it. Two simulators with one seed read each other's seals. Default `'simulator'`. */
  readonly seed?: string | number;
  /** The clock, in milliseconds since 1970. Default `Date.now`. Cache entries, threads and sticky routes age by it. */
  readonly now?: () => number;
  /** `false` keeps neither bodies nor answers in `requests`, only verdicts. Default true. */
  readonly keepBodies?: boolean;
  /** The Anthropic Messages API. */
  readonly anthropic?: AnthropicOptions;
  /** The OpenAI Responses API, over HTTP and WebSockets. */
  readonly responses?: ResponsesOptions;
  /** Chat Completions, of OpenAI and of the hosts that took over its shape. */
  readonly chat?: ChatOptions;
  /** The Converse API of Amazon Bedrock. Claude's models behind it are those of `anthropic`. */
  readonly bedrock?: ConverseOptions;
  /** Gemini's generateContent, of the Developer API and of Vertex. */
  readonly gemini?: GeminiOptions;
  /** Gemini's Interactions API. */
  readonly interactions?: InteractionsOptions;
}

/** One request as it arrived, and what the simulator made of it. */
export interface RecordedRequest {
  /** Counts up from 0 in order of arrival. */
  readonly index: number;
  /** `WEBSOCKET` for a message of a WebSocket, which is a request of its own. */
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed JSON where the body is JSON, else its text; undefined where bodies are not kept. */
  readonly body: unknown;
  /** `status` 0 until the request is answered. */
  readonly verdict: Verdict;
}

export interface Simulator {
  /** Base URL, `http://127.0.0.1:…`. Vertex clients want `/v1` behind it. */
  readonly url: string;
  readonly seed: string;
  /** Every request so far, oldest first. */
  readonly requests: readonly RecordedRequest[];
  /** Ends every connection and frees the port. */
  close(): Promise<void>;
}

/** Starts providers that behave by their published rules, on loopback, without a key. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const seed = String(options.seed ?? 'simulator');
  const now = options.now ?? Date.now;
  const keepBodies = options.keepBodies ?? true;
  const requests: RecordedRequest[] = [];
  const onVerdict = ({ index }: Exchange, verdict: Verdict): void => {
    const recorded = requests[index];
    const { answer: _, ...bare } = verdict;
    if (recorded) requests[index] = { ...recorded, verdict: keepBodies ? verdict : bare };
  };
  const surroundings = { seed, now, onVerdict };
  const apis: readonly SimulatedApi[] = [
    // Before Anthropic's, which has models under `/v1/models` too.
    createGeminiGenerate(surroundings, options.gemini ?? {}),
    createGeminiInteractions(surroundings, options.interactions ?? {}),
    createAnthropicMessages(surroundings, options.anthropic ?? {}),
    createOpenAiResponses(surroundings, options.responses ?? {}),
    createOpenAiChat(surroundings, options.chat ?? {}),
    createBedrockConverse(surroundings, options.bedrock ?? {}, options.anthropic ?? {}),
  ];
  const record = (exchange: Exchange): void => {
    const { index, method, path, headers } = exchange;
    requests[index] = {
      index,
      method,
      path,
      query: exchange.query.toString(),
      headers,
      body: keepBodies ? parsed(exchange.body) : undefined,
      verdict: NO_VERDICT,
    };
  };
  const listening = await listen(options.port ?? 0, {
    now,
    async answer(exchange) {
      record(exchange);
      const refuse = (status: number, type: string, message: string): Reply => {
        const refusal = errorReply(status, type, message);
        onVerdict(exchange, { ...NO_VERDICT, status, error: { type, message }, answer: refusal.body });
        return refusal;
      };
      try {
        for (const api of apis) {
          const reply = await api.handle(exchange);
          if (reply) return reply;
        }
      } catch (error) {
        return refuse(500, 'api_error', faultText(error));
      }
      return refuse(404, 'not_found_error', `Not found: ${exchange.method} ${exchange.path}`);
    },
    connect(opening) {
      for (const api of apis) {
        const session = api.connect?.(opening);
        if (session === undefined) continue;
        if ('kind' in session) return session;
        return {
          async message(exchange, socket) {
            record(exchange);
            try {
              await session.message(exchange, socket);
            } catch (error) {
              const { body } = errorReply(500, 'api_error', faultText(error));
              onVerdict(exchange, { ...NO_VERDICT, status: 500, error: body.error, answer: body });
              socket.send(JSON.stringify({ status: 500, ...body }));
            }
          },
        };
      }
      return errorReply(404, 'not_found_error', `No WebSocket at ${opening.path}`);
    },
  });
  return { url: listening.url, seed, requests, close: listening.close };
}

/** A shape that the clients of every provider read. */
function errorReply(status: number, type: string, message: string) {
  const body = { type: 'error', error: { type, message } };
  return { kind: 'json', status, headers: { 'x-should-retry': 'false' }, body } as const;
}

/** A fault of a script, or of the simulator: the caller sees which, instead of a request that hangs. */
function faultText(error: unknown): string {
  return `simulator: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}
