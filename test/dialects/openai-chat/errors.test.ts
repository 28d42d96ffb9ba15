import { describe, expect, it } from 'vitest';
import { classifyError } from '../../../src/dialects/openai-chat/errors.ts';
import { check, judge, lastOf } from './check.ts';
import { set, setCalls, strip, without } from './edits.ts';
import { closedLoop, openLoop } from './loops.ts';
import { call, calls, details, encrypted, rc, reasoning, says, seal, signed } from './messages.ts';
import { type Talk, talk } from './talk.ts';

/** Refusals: their class, and what they settle. */

const DEEPSEEK = 'deepseek-v4-pro';
const MISSING = 'The `reasoning_content` in the thinking mode must be passed back to the API.';

describe('classes', () => {
  it.each([
    ['reasoning_missing', MISSING],
    [
      'reasoning_missing',
      'thinking is enabled but reasoning_content is missing in assistant tool call message at index 3',
    ],
    [
      'reasoning_missing',
      `{"error":{"message":"Provider returned error","metadata":{"raw":"{\\"message\\":\\"${MISSING}\\"}"}}}`,
    ],
    ['reasoning_missing', 'Missing `reasoning_content` field in the assistant message at message index 2.'],
    ['signature_missing', 'Gemini models require OpenRouter reasoning details to be preserved in each request.'],
    ['signature_missing', 'Function call is missing a thought_signature in functionCall parts. Additional data, …'],
    ['signature_missing', 'Function call `x` in the 2. content block is missing a `thought_signature`.'],
    ['signature_invalid', 'Invalid thought signature.'],
    ['signature_invalid', 'Corrupted thought signature.'],
    ['signature_invalid', 'messages.1.content.0: Invalid `signature` in `thinking` block'],
    ['signature_invalid', 'messages.7.content.2: Invalid signature in thinking block'],
    ['signature_invalid', 'messages.1.content.0.thinking.signature: Field required'],
    ['field_refused', 'body.messages.1.assistant.reasoning_content: property is unsupported'],
    ['field_refused', 'messages[2].reasoning: reasoning is not supported with this model'],
    ['field_refused', 'Reasoning input is not enabled for this model'],
    ['thinking_missing', 'Expected `thinking` or `redacted_thinking`, but found `tool_use`.'],
    ['field_refused', 'messages.2.reasoning_content: Extra inputs are not permitted'],
    [
      'field_refused',
      "'messages.2' : for 'role:assistant' the following must be satisfied[('messages.2' : property 'reasoning_content' is unsupported)]",
    ],
    ['reasoning_items_refused', 'input[3].type "reasoning" is not a valid input item type'],
    ['ciphertext_invalid', 'The encrypted content for item rs_1 could not be verified.'],
    ['ciphertext_invalid', 'encrypted_content was not issued to this caller'],
    ['reasoning_item_empty', "Cannot determine type of 'item'"],
    ['reasoning_item_empty', "item['content'] is empty"],
    [
      'tools_with_reasoning',
      'Function tools with reasoning_effort are not supported for gpt-5.6 in /v1/chat/completions',
    ],
    ['model_turn_last', 'Requests ending with a model turn are not supported'],
    ['unclassified', 'Something is wrong with the request'],
  ])('%s: %s', (rejection, message) => expect(classifyError({ status: 400, message })?.rejection).toBe(rejection));

  it.each([
    [429, 'Rate limit reached'],
    [503, 'Overloaded'],
  ])('%d is no refusal', (status, message) => expect(classifyError({ status, message })).toBeUndefined());

  it('the code decides where the text says nothing', () =>
    expect(classifyError({ status: 400, code: 'invalid_encrypted_content', message: 'Bad' })?.rejection).toBe(
      'ciphertext_invalid',
    ));

  it('what an extra field is refused for must be reasoning', () =>
    expect(classifyError({ status: 400, message: 'foo: Extra inputs are not permitted' })?.rejection).toBe(
      'unclassified',
    ));
});

describe('what they settle', () => {
  it('a loss stays what it was', () =>
    check(openLoop(DEEPSEEK, rc).send(strip).finds({ dropped: 2 }).fails(400, MISSING)));

  it('older turns that were not asked for, and are after all', () =>
    check(
      closedLoop('kimi-k2.6', rc)
        .send(strip)
        .finds({ dropped: 2 })
        .fails(400, 'thinking is enabled but reasoning_content is missing in assistant tool call message at index 1'),
    ));

  it('signatures of older turns', () =>
    check(
      talk('gemini-3-flash-preview')
        .user('Go.')
        .answer({ tool_calls: [signed('c1', 'a')] })
        .results('c1')
        .answer(says('Done.'))
        .user('And?')
        .send(strip)
        .finds({ dropped: 1 })
        .fails(400, 'Function call is missing a thought_signature in functionCall parts.'),
    ));

  it('a note about a finished turn becomes a loss', () =>
    check(
      closedLoop('anthropic/claude-sonnet-4.5', (name) =>
        details({ type: 'reasoning.encrypted', data: name.repeat(60), index: 0 }),
      )
        .send(strip)
        .finds({ dropped: 2 })
        .fails(400, 'Expected `thinking` or `redacted_thinking`, but found `tool_use`'),
    ));

  it('a member that the host does not take', () =>
    check(
      closedLoop('some-model', rc, { endpoint: 'gateway.corp' })
        .send()
        .finds({ carried: 2 })
        .fails(400, 'messages.1.reasoning_content: Extra inputs are not permitted'),
    ));

  it('the same of messages that nobody here issued', () =>
    check(
      talk('some-model', { endpoint: 'gateway.corp' })
        .append({ role: 'user', content: 'Hi.' }, { role: 'assistant', content: 'Hello.', ...rc('x') })
        .user('And?')
        .send()
        .finds({ carried: 1 })
        .fails(400, "property 'reasoning_content' is unsupported"),
    ));

  it('what was a waste is refused', () =>
    check(closedLoop('gpt-5.5', rc).send().finds({ carried: 2 }).fails(400, 'Unknown parameter: reasoning_content')));

  it('seals that could not be read, though nothing differs', () =>
    check(
      openLoop('openai/gpt-5.6', (name) => details(encrypted(name)))
        .send()
        .finds({ foreign: 2 })
        .fails(400, 'The encrypted content for item rs_1 could not be verified.'),
    ));

  it('a change explains it', () =>
    check(
      talk('gemini-3-flash-preview')
        .user('Go.')
        .answer({ tool_calls: [signed('c1', 'a')] })
        .results('c1')
        .send(
          setCalls(1, () => [
            {
              ...call('c1'),
              extra_content: { google: { thought_signature: seal('a').slice(0, 80) } },
            },
          ]),
        )
        .finds({ edited: 1 })
        .fails(400, 'Corrupted thought signature.'),
    ));

  it('an overload settles nothing', () => check(openLoop(DEEPSEEK, rc).send().fails(503, 'Overloaded')));

  it('an error in the body of a success', () => {
    const client = openLoop('deepseek/deepseek-v4-pro', reasoning)
      .send(set(1, without('reasoning')))
      .finds({ dropped: 1 });
    client.steps.push({
      api: 'openai.chat',
      response: {
        error: { code: 400, message: 'Provider returned error', metadata: { raw: `{"error":"${MISSING}"}` } },
      },
    });
    check(client);
    expect(lastOf(client).rejection).toBe('reasoning_missing');
  });
});

describe('after a refusal', () => {
  const refused = (): Talk => openLoop(DEEPSEEK, rc).send(strip).finds({ dropped: 2 }).fails(400, MISSING);

  it('the same request without its reasoning is linked to it, and said to have been bought', () => {
    const client = refused().with({ thinking: { type: 'disabled' } });
    client.send(strip).finds({ dropped: 2, mode_toggled: 1 }).reply(says('Two.'));
    check(client);
    const [first, second] = [...judge(client.steps).values()].slice(-2);
    expect(second).toMatchObject({ runId: first?.runId, remarks: ['recovered_by_discarding'] });
  });

  it('a field that is refused is left out from then on', () =>
    check(
      openLoop('some-model', rc, { endpoint: 'gateway.corp' })
        .send()
        .finds({ carried: 2 })
        .fails(400, 'reasoning_content: Extra inputs are not permitted')
        .edit(strip)
        .answer(calls('c9'))
        .results('c9')
        .send(),
    ));

  it('so are seals that nobody reads', () =>
    check(
      openLoop('openai/gpt-5.6', (name) => details(encrypted(name)))
        .send()
        .finds({ foreign: 2 })
        .fails(400, 'The encrypted content could not be verified.')
        .edit(strip)
        .send(),
    ));

  it('a seal that the client broke is still owed', () =>
    check(
      openLoop('openai/gpt-5.6', (name) => details(encrypted(name)))
        .send(set(1, details({ ...encrypted('a'), data: String(encrypted('a').data).slice(0, 50) })))
        .finds({ edited: 1 })
        .fails(400, 'The encrypted content could not be verified.')
        .send(set(1, without('reasoning_details')))
        .finds({ dropped: 1 }),
    ));
});
