import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { Judgement } from '../../../src/continuity/judgement.ts';
import { createLedger } from '../../../src/continuity/ledger.ts';
import { dialects } from '../../../src/dialects/index.ts';
import { chunk, details, encrypted, type Members, part, rc, sealedText, signed } from './messages.ts';
import { streamed } from './streamed.ts';

/** What helpers of the real SDK do to members that it has no type for, and that the finding says so. */

const VERSIONS = ['openai', 'openai-6.49', 'openai-5.23', 'openai-4.87'] as const;
type Version = (typeof VERSIONS)[number];

interface Exchange {
  readonly body: Record<string, unknown>;
  readonly headers: IncomingHttpHeaders;
  readonly response: Record<string, unknown>;
}

const CALL = { id: 'c1', type: 'function', function: { name: 'lookup', arguments: '{"key":"x"}' } };
const answerOf = (model: string, members: Members): Record<string, unknown> => {
  const message = { role: 'assistant', content: null, ...members };
  return {
    id: 'r',
    model,
    object: 'chat.completion',
    created: 1,
    choices: [{ index: 0, finish_reason: members.tool_calls ? 'tool_calls' : 'stop', message }],
  };
};

/** A host that gives one answer with a call, then one without. */
async function serve<T>(
  model: string,
  first: Members,
  use: (baseURL: string) => Promise<T>,
): Promise<readonly Exchange[]> {
  const exchanges: Exchange[] = [];
  const server = createServer((request, reply) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece) => pieces.push(piece));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(pieces).toString());
      const whole = answerOf(model, exchanges.length === 0 ? { tool_calls: [CALL], ...first } : { content: 'Done.' });
      const response = body.stream
        ? (streamed({ api: 'openai.chat', response: whole }).response as Record<string, unknown>)
        : whole;
      exchanges.push({ body, headers: request.headers, response });
      if (!body.stream) {
        reply.setHeader('content-type', 'application/json');
        reply.end(JSON.stringify(whole));
        return;
      }
      reply.setHeader('content-type', 'text/event-stream');
      for (const event of response.stream as unknown[]) reply.write(`data: ${JSON.stringify(event)}\n\n`);
      reply.end('data: [DONE]\n\n');
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  try {
    await use(`http://127.0.0.1:${port}/v1`);
  } finally {
    server.close();
    server.closeAllConnections();
  }
  return exchanges;
}

/** The same traffic in the eyes of the dialect. */
function judged(exchanges: readonly Exchange[], endpoint?: string): readonly Judgement[] {
  const ledger = createLedger();
  return exchanges.map(({ body, headers, response }) => {
    const helper = headers['x-stainless-helper-method'];
    const opened = dialects['openai.chat']?.open(
      {
        body,
        ...(endpoint === undefined ? {} : { endpoint }),
        ...(typeof helper === 'string' ? { headers: { 'x-stainless-helper-method': helper } } : {}),
      },
      ledger,
    );
    if (opened === undefined) throw new Error('not read as a request');
    if (Array.isArray(response.stream)) for (const event of response.stream) opened.event(event);
    else opened.response(response);
    return opened.close('completed');
  });
}

// biome-ignore lint/suspicious/noExplicitAny: four majors of one SDK
const clientOf = async (version: Version, baseURL: string): Promise<any> => {
  const { default: OpenAI } = await import(version);
  return new OpenAI({ apiKey: 'key', baseURL, maxRetries: 0 });
};

const tools = [
  {
    type: 'function',
    function: {
      name: 'lookup',
      parameters: { type: 'object', properties: {} },
      function: () => 'found',
      parse: JSON.parse,
    },
  },
];
const messages = [{ role: 'user', content: 'Go.' }];

const runTools = (version: Version, model: string, first: Members, stream: boolean) =>
  serve(model, first, async (baseURL) => {
    const client = await clientOf(version, baseURL);
    const { completions } = version === 'openai-4.87' ? client.beta.chat : client.chat;
    await completions.runTools({ model, messages, tools, stream }).done();
  });

/** An application that keeps what the helper hands it at the end of a stream. */
const keepFinal = (version: Version, model: string, first: Members) =>
  serve(model, first, async (baseURL) => {
    const client = await clientOf(version, baseURL);
    const { completions } = version === 'openai-4.87' ? client.beta.chat : client.chat;
    const message = await completions.stream({ model, messages }).finalMessage();
    const { parsed: _parsed, ...kept } = message;
    await client.chat.completions.create({
      model,
      messages: [...messages, kept, { role: 'tool', tool_call_id: 'c1', content: 'found' }],
      tools: [CALL].map(({ type }) => ({ type, function: { name: 'lookup' } })),
    });
  });

const lastFindings = (exchanges: readonly Exchange[], endpoint?: string) =>
  judged(exchanges, endpoint).at(-1)?.findings;

describe.each(VERSIONS)('%s', (version) => {
  const rebuilds = version === 'openai' || version === 'openai-6.49';

  it.each([false, true])(
    `runTools ${rebuilds ? 'loses the string' : 'keeps the string or its end'} (stream: %s)`,
    async (stream) => {
      const findings = lastFindings(await runTools(version, 'deepseek-v4-pro', rc('a'), stream));
      if (rebuilds) expect(findings).toMatchObject([{ kind: 'dropped', count: 1, source: 'client', culprit: 'sdk' }]);
      else if (stream) expect(findings).toMatchObject([{ kind: 'edited', count: 1, culprit: 'sdk' }]);
      else expect(findings).toEqual([]);
    },
  );

  it(`runTools ${rebuilds ? 'loses' : 'keeps'} the signature of a call`, async () => {
    const first = { tool_calls: [{ ...CALL, ...(signed('c1', 'a') as unknown as Members), function: CALL.function }] };
    const findings = lastFindings(await runTools(version, 'gemini-3-flash-preview', first, false));
    expect(findings).toMatchObject(rebuilds ? [{ kind: 'dropped', reason: 'seal_missing', culprit: 'sdk' }] : []);
  });

  it('stream keeps the end of a string', async () => {
    const findings = lastFindings(await keepFinal(version, 'deepseek-v4-pro', rc('a')));
    expect(findings).toMatchObject([{ kind: 'edited', count: 1, culprit: 'sdk' }]);
  });

  it('stream keeps the last elements of a list', async () => {
    const first = details(sealedText('a'), encrypted('b', 1));
    const findings = lastFindings(await keepFinal(version, 'anthropic/claude-opus-4.5', first));
    expect(findings).toMatchObject([{ kind: 'dropped', count: 1, culprit: 'sdk' }]);
  });

  it('stream keeps a signature', async () => {
    const first = { tool_calls: [{ ...CALL, ...(signed('c1', 'a') as unknown as Members), function: CALL.function }] };
    expect(lastFindings(await keepFinal(version, 'gemini-3-flash-preview', first))).toEqual([]);
  });

  it('stream turns parts into a string', async () => {
    const first = { content: [chunk('a'), part('Let me look that up for you.')] };
    expect(lastFindings(await keepFinal(version, 'magistral-medium', first))).toMatchObject([
      { kind: 'dropped', count: 1, culprit: 'sdk' },
    ]);
  });
});

describe("the application's own code", () => {
  it('is not taken for a helper', async () => {
    const exchanges = await serve('deepseek-v4-pro', rc('a'), async (baseURL) => {
      const client = await clientOf('openai', baseURL);
      const { choices } = await client.chat.completions.create({
        model: 'deepseek-v4-pro',
        messages,
        tools: [{ type: 'function', function: { name: 'lookup' } }],
      });
      const { role, content, tool_calls } = choices[0].message;
      await client.chat.completions.create({
        model: 'deepseek-v4-pro',
        messages: [...messages, { role, content, tool_calls }, { role: 'tool', tool_call_id: 'c1', content: 'found' }],
        tools: [{ type: 'function', function: { name: 'lookup' } }],
      });
    });
    const [finding] = lastFindings(exchanges) ?? [];
    expect(finding).toMatchObject({ kind: 'dropped', source: 'client' });
    expect(finding?.culprit).toBeUndefined();
  });
});
