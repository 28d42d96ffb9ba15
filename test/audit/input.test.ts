import { describe, expect, it } from 'vitest';
import { parseInput } from '../../src/audit/read-input.ts';

/** Bad input gives one line that names what is wrong and where; good input is read in both forms. */

const REQUEST = { api: 'anthropic.messages', request: { model: 'claude-opus-4-8', messages: [] } };
const RESPONSE = { api: 'anthropic.messages', response: { model: 'claude-opus-4-8', content: [] } };
const problem = (text: string): string | undefined => {
  const read = parseInput('run.json', text);
  return 'problem' in read ? read.problem : undefined;
};
const withSteps = (...steps: unknown[]): string => JSON.stringify({ id: 'x', steps });
const lines = (...steps: unknown[]): string => steps.map((step) => JSON.stringify(step)).join('\n');

describe('what is read', () => {
  it.each([
    ['an object with steps', withSteps(REQUEST, RESPONSE), 2],
    ['with what a case file adds', JSON.stringify({ kind: 'x', steps: [REQUEST], expect: { verdict: 'clean' } }), 1],
    ['JSON Lines', lines(REQUEST, RESPONSE, REQUEST), 3],
    ['JSON Lines with blank lines and CRLF', `${JSON.stringify(REQUEST)}\r\n\r\n${JSON.stringify(RESPONSE)}\r\n`, 2],
    ['one line', lines(REQUEST), 1],
    ['one step, written over several lines', JSON.stringify(REQUEST, null, 2), 1],
    [
      'steps of APIs that no dialect reads yet',
      withSteps(REQUEST, { api: 'openai.chat', request: { model: 'x', messages: [] } }),
      2,
    ],
    [
      'content as strings, and system messages without content',
      withSteps({
        api: 'anthropic.messages',
        request: {
          model: 'm',
          messages: [
            { role: 'user', content: 'Hi' },
            { role: 'system', output_config: {} },
          ],
        },
      }),
      1,
    ],
    ['an error step', withSteps(REQUEST, { api: 'anthropic.messages', error: { status: 400, message: 'no' } }), 2],
  ])('%s', (_name, text, count) => {
    const read = parseInput('run.json', text);
    expect('transcript' in read ? read.transcript.steps.length : read.problem).toBe(count);
  });
});

describe('what is not', () => {
  const bad = (change: object): string => withSteps(REQUEST, { ...REQUEST, ...change });
  it.each([
    ['', 'run.json: is empty'],
    [' \n\n', 'run.json: is empty'],
    ['null', 'run.json: the transcript must be an object, but is null'],
    ['[]', 'run.json: the transcript must be an object, but is a list'],
    ['{}', 'run.json: steps is missing'],
    ['{"steps":3}', 'run.json: steps must be a list, but is a number'],
    ['{"steps":[]}', 'run.json: steps is empty'],
    ['{"steps":["x"]}', 'run.json: step 0 must be an object, but is a string'],
    [bad({ api: undefined }), 'run.json: step 1: api is missing'],
    [
      bad({ api: 'anthropic' }),
      'run.json: step 1: api must be one of anthropic.messages, openai.responses, openai.chat, ' +
        'gemini.generateContent, gemini.interactions, bedrock.converse',
    ],
    [bad({ request: undefined }), 'run.json: step 1 must have exactly one of "request", "response" and "error"'],
    [bad({ response: {} }), 'run.json: step 1 must have exactly one of "request", "response" and "error"'],
    [bad({ request: 'x' }), 'run.json: step 1: request must be an object, but is a string'],
    [bad({ request: { messages: [] } }), 'run.json: step 1: request.model is missing'],
    [bad({ request: { model: 4, messages: [] } }), 'run.json: step 1: request.model must be a string, but is a number'],
    [bad({ request: { model: 'm' } }), 'run.json: step 1: request.messages is missing'],
    [
      bad({ request: { model: 'm', messages: {} } }),
      'run.json: step 1: request.messages must be a list, but is an object',
    ],
    [
      bad({ request: { model: 'm', messages: [{ role: 'user', content: 'x' }, 'y'] } }),
      'run.json: step 1: request.messages.1 must be an object, but is a string',
    ],
    [
      bad({ request: { model: 'm', messages: [{ content: 'x' }] } }),
      'run.json: step 1: request.messages.0.role is missing',
    ],
    [
      bad({ request: { model: 'm', messages: [{ role: 'user', content: 7 }] } }),
      'run.json: step 1: request.messages.0.content must be a list, but is a number',
    ],
    [
      bad({ request: { model: 'm', messages: [{ role: 'user', content: ['x'] }] } }),
      'run.json: step 1: request.messages.0.content.0 must be an object, but is a string',
    ],
    [
      bad({ request: undefined, response: { content: 'x' } }),
      'run.json: step 1: response.content must be a list, but is a string',
    ],
    [
      bad({ request: undefined, response: { stream: ['x'] } }),
      'run.json: step 1: response.stream.0 must be an object, but is a string',
    ],
    [bad({ request: undefined, error: { message: 'x' } }), 'run.json: step 1: error.status is missing'],
    [
      bad({ request: undefined, error: { status: '400', message: 'x' } }),
      'run.json: step 1: error.status must be a number, but is a string',
    ],
    [bad({ meta: 'x' }), 'run.json: step 1: meta must be an object, but is a string'],
    [bad({ meta: { endpoint: 5 } }), 'run.json: step 1: meta.endpoint must be a string, but is a number'],
    [bad({ meta: { aborted: 'yes' } }), 'run.json: step 1: meta.aborted must be true or false, but is a string'],
    [bad({ meta: { answers: -1 } }), 'run.json: step 1: meta.answers must be the index of a step'],
    [bad({ meta: { answers: 1.5 } }), 'run.json: step 1: meta.answers must be the index of a step'],
    [
      withSteps(REQUEST, { ...RESPONSE, meta: { answers: 7 } }),
      'run.json: step 1: meta.answers names step 7, which is not a request before this step',
    ],
    [
      withSteps({ api: 'openai.chat', request: {} }, { ...RESPONSE, meta: { answers: 0 } }),
      'run.json: step 1: meta.answers names step 0, a request of openai.chat',
    ],
  ])('%s', (text, sentence) => expect(problem(text)).toBe(sentence));

  it('several faults are one line', () =>
    expect(problem(withSteps({ ...REQUEST, request: { messages: {} } }))).toBe(
      'run.json: step 0: request.model is missing (and 1 more)',
    ));

  it('a value of the input is not repeated', () => {
    const told = problem(withSteps({ api: 'anthropic.messages', request: 'the prompt of a customer' }));
    expect(told).not.toContain('customer');
  });
});

describe('broken JSON is named by line and column', () => {
  it.each([
    ['{"steps": [', 'line 1, column 12: is not JSON (the text ends too early)'],
    ['{"steps": [],}', 'line 1, column 14: is not JSON (expected a name in double quotes)'],
    ['{\n  "steps": [\n    {"api": x}\n  ]\n}', 'line 3, column 13: is not JSON (expected a value)'],
    ['{"steps": []} trailing', 'line 1, column 15: is not JSON (something follows the end of the value)'],
    ['{"steps" []}', 'line 1, column 10: is not JSON (expected ":")'],
    ['{"id": "a\nb", "steps": []}', 'line 1, column 10: is not JSON (a string is not closed on its line)'],
    ['{"id": "\\x"}', 'line 1, column 9: is not JSON (unknown escape in a string)'],
    ['{"a": 1 "b": 2}', 'line 1, column 9: is not JSON (expected "," or "}")'],
    ["{'steps': []}", 'line 1, column 2: is not JSON (expected a name in double quotes)'],
    ['hello', 'line 1, column 1: is not JSON (expected a value)'],
  ])('%s', (text, sentence) => expect(problem(text)).toBe(`run.json: ${sentence}`));

  it('in JSON Lines by the line of the file', () =>
    expect(problem(`${lines(REQUEST, RESPONSE)}\n\n{"api": }\n`)).toBe(
      'run.json: line 4, column 9: is not JSON (expected a value)',
    ));

  it('also where the first of the lines is the broken one', () =>
    expect(problem(`{"api"\n${lines(REQUEST, RESPONSE)}`)).toBe(
      'run.json: line 1, column 7: is not JSON (the text ends too early)',
    ));

  it('and a fault inside a line by its line and step', () =>
    expect(problem(`${lines(REQUEST)}\n\n${lines({ ...RESPONSE, api: 'x.y' })}`)).toContain(
      'run.json: line 3: step 1: api must be one of',
    ));
});
