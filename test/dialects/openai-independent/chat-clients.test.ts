import { describe, it } from 'vitest';
import { chat, check, type Talk } from './talk.ts';
import { bot, calls, type Item, LOOKUP, says, seal, signed, thought, tool, toolCall, user } from './wire.ts';

/** Expected clean; `judged`: expected as the talk itself says. */
const clean = (title: string, talk: () => Talk): void => it(title, () => check(talk()));
const judged = clean;
const ASK = 'Which of the six depots is short of salt?';

describe('as clients and gateways send it', () => {
  const R = (name: string): Item => ({ reasoning_content: thought(name) });
  const _gone = { reasoning_content: undefined };
  const loop = (model: string, fields: Item, config: Item = {}, meta?: Item): Talk =>
    chat(model, config, meta).user(ASK).answer(calls(fields, 'c1')).results('c1');
  const V4 = 'deepseek-v4-pro';
  const TOOLS = { tools: LOOKUP };
  // whitespace is an edit, as in the sealed text of other APIs: "partly changed is edited".
  judged('trimmed', () =>
    loop(V4, { reasoning_content: `\n${thought('a')}\n\n` }, TOOLS)
      .send(bot(0, R('a')))
      .finds({ edited: 1 }),
  );
  clean('tool ids rewritten', () =>
    loop(V4, R('a'), TOOLS).send((_i) => [
      user(ASK),
      { ...calls(R('a'), toolCall('c1', { id: 'a1b2c3d4e' })) },
      { ...tool('c1'), tool_call_id: 'a1b2c3d4e' },
    ]),
  );
  judged('tool ids rewritten, reasoning gone', () =>
    loop(V4, R('a'), TOOLS)
      .send(() => [
        user(ASK),
        calls({}, toolCall('c1', { id: 'a1b2c3d4e' })),
        { ...tool('c1'), tool_call_id: 'a1b2c3d4e' },
      ])
      .finds({ dropped: 1 }),
  );
  clean('null content as empty string', () => loop(V4, R('a'), TOOLS).send(bot(0, { content: '' })));
  // mode toggles.
  for (const [model, on, off] of [
    ['gpt-5.5', { reasoning_effort: 'high' }, { reasoning_effort: 'none' }],
    ['qwen3.6-plus', { enable_thinking: true }, { enable_thinking: false }],
    ['MiniMax-M3', {}, { thinking: { type: 'disabled' } }],
    ['mistral-medium-latest', { reasoning_effort: 'high' }, { reasoning_effort: 'none' }],
    ['anthropic/claude-sonnet-4.5', { reasoning: { effort: 'high' } }, { reasoning: { effort: 'none' } }],
    ['anthropic/claude-sonnet-4.5', { reasoning: { enabled: true } }, { reasoning: undefined }],
  ] as const)
    judged(`toggle ${model} ${JSON.stringify(off)}`, () =>
      chat(model, on).user(ASK).answer(calls({}, 'c1')).results('c1').send(undefined, off).finds({ mode_toggled: 1 }),
    );
  // think tags elsewhere
  const OWN = { endpoint: 'vllm' };
  judged('think stripped at vLLM in the loop', () =>
    loop('Qwen/Qwen3-32B', { content: `<think>\n${thought('a')}\n</think>\n\nOne moment.` }, {}, OWN)
      .send(bot(0, { content: 'One moment.' }))
      .finds({ dropped: 1 }),
  );
  clean('think stripped at vLLM in a closed turn', () =>
    chat('Qwen/Qwen3-32B', {}, OWN)
      .user(ASK)
      .answer(says(`<think>\n${thought('a')}\n</think>\n\nFour.`))
      .user('Since?')
      .send(bot(0, { content: 'Four.' })),
  );
  // OpenRouter: string and list of the same text
  const text = (name: string, index = 0): Item => ({
    type: 'reasoning.text',
    text: thought(name),
    signature: seal(name),
    format: 'anthropic-claude-v1',
    index,
  });
  const plain = (name: string, index = 0): Item => ({
    type: 'reasoning.text',
    text: thought(name),
    format: 'unknown',
    index,
  });
  clean('list only', () =>
    loop('anthropic/claude-sonnet-4.5', { reasoning: thought('a'), reasoning_details: [text('a')] }).send(
      bot(0, { reasoning: undefined }),
    ),
  );
  clean('both', () =>
    loop('anthropic/claude-sonnet-4.5', { reasoning: thought('a'), reasoning_details: [text('a')] }).send(),
  );
  clean('open weights: string only', () =>
    loop('z-ai/glm-5.1', { reasoning: thought('a'), reasoning_details: [plain('a')] }).send(
      bot(0, { reasoning_details: undefined }),
    ),
  );
  judged('claude: string only', () =>
    loop('anthropic/claude-sonnet-4.5', { reasoning: thought('a'), reasoning_details: [text('a')] })
      .send(bot(0, { reasoning_details: undefined }))
      .finds({ edited: 1 }),
  );
  judged('open weights: both gone is one', () =>
    loop('z-ai/glm-5.1', { reasoning: thought('a'), reasoning_details: [plain('a')] })
      .send(bot(0, { reasoning_details: undefined, reasoning: undefined }))
      .finds({ dropped: 1 }),
  );
  judged('details to another vendor', () =>
    loop('anthropic/claude-sonnet-4.5', { reasoning_details: [text('a')] })
      .with({ model: 'google/gemini-3-pro-preview' })
      .send()
      .finds({ foreign: 1 }),
  );
  judged('Claude redacted', () =>
    loop('anthropic/claude-sonnet-4.5', {
      reasoning_details: [
        { type: 'reasoning.encrypted', data: seal('a'), format: 'anthropic-claude-v1', index: 0 },
        text('b', 1),
      ],
    })
      .send(bot(0, { reasoning_details: [text('b', 1)] }))
      .finds({ dropped: 1 }),
  );
  // Vercel gateway
  const VERCEL = { endpoint: 'https://ai-gateway.vercel.sh/v1' };
  judged('Vercel: gone', () =>
    loop('anthropic/claude-sonnet-4.5', { reasoning_details: [text('a')] }, {}, VERCEL)
      .send(bot(0, { reasoning_details: undefined }))
      .finds({ dropped: 1 }),
  );
  // Refusal names the field
  judged('strict gateway', () =>
    loop('qwen3-32b', R('a'), {}, { endpoint: 'https://opencode.example/v1' })
      .answer(says('four', R('b')))
      .user('since?')
      .send(undefined)
      .finds({ carried: 2 })
      .fails(400, 'messages.1.reasoning_content: Extra inputs are not permitted'),
  );
  // Gemini stream with the signature in a later piece.
  judged('signature in a later delta', () => {
    const talk = chat('gemini-3-pro-preview')
      .user(ASK)
      .send()
      .receive(
        {
          stream: [
            {
              choices: [
                {
                  delta: {
                    role: 'assistant',
                    tool_calls: [
                      { index: 0, id: 'call_c1', type: 'function', function: { name: 'lookup', arguments: '{"key":' } },
                    ],
                  },
                },
              ],
            },
            {
              choices: [
                {
                  delta: { tool_calls: [{ index: 0, function: { arguments: '"c1"}' }, ...signed(seal('a')) }] },
                  finish_reason: 'tool_calls',
                },
              ],
            },
          ],
        },
        calls({}, toolCall('c1', signed(seal('a')))),
      );
    return talk
      .add(calls({}, toolCall('c1')), tool('c1'))
      .send()
      .finds({ dropped: 1 });
  });
  judged('Gemini: arrived unsigned', () => loop('gemini-3-pro-preview', {}).send().finds({ unsigned_on_arrival: 1 }));
  clean('Gemini 2.5: arrived unsigned', () => loop('gemini-2.5-flash', {}).send());
  judged('Gemini to DeepSeek, reasoning relabelled from Claude', () =>
    loop('anthropic/claude-sonnet-4.5', { reasoning: thought('a') })
      .with({ model: V4, ...TOOLS })
      .send(bot(0, { reasoning: undefined, reasoning_content: thought('a') }))
      .finds({ foreign: 1 }),
  );
  judged('GLM to Kimi, in a closed turn', () =>
    chat('glm-5.1')
      .user(ASK)
      .answer(says('four', R('a')))
      .user('since?')
      .with({ model: 'kimi-k3' })
      .send()
      .finds({ foreign: 1 }),
  );
  // same model, other host: text is text; open weights reseller. not tested.
  judged('one of many dropped over three steps', () =>
    loop(
      'MiniMax-M2.5',
      { reasoning_details: [{ type: 'reasoning.text', text: thought('a') }] },
      { reasoning_split: true },
    )
      .answer(calls({ reasoning_details: [{ type: 'reasoning.text', text: thought('b') }] }, 'c2'))
      .results('c2')
      .answer(calls({ reasoning_details: [{ type: 'reasoning.text', text: thought('d') }] }, 'c3'))
      .results('c3')
      .send(bot(1, { reasoning_details: undefined }))
      .finds({ dropped: 1 }),
  );
  judged('Mistral in the loop, closed effort', () =>
    chat('magistral-medium')
      .user(ASK)
      .answer({
        ...calls(
          {
            content: [
              { type: 'thinking', thinking: [{ type: 'text', text: thought('a') }] },
              { type: 'text', text: 'hm' },
            ],
          },
          'c1',
        ),
      })
      .results('c1')
      .send(bot(0, { content: 'hm' }))
      .finds({ dropped: 1 }),
  );
  judged('Mistral text edited', () =>
    chat('magistral-medium')
      .user(ASK)
      .answer(
        says([
          { type: 'thinking', thinking: [{ type: 'text', text: thought('a') }], closed: true },
          { type: 'text', text: 'Four.' },
        ]),
      )
      .user('since?')
      .send(
        bot(0, {
          content: [
            { type: 'thinking', thinking: [{ type: 'text', text: thought('a').slice(0, 40) }], closed: true },
            { type: 'text', text: 'Four.' },
          ],
        }),
      )
      .finds({ edited: 1 }),
  );
  clean('Mistral fragments', () =>
    chat('magistral-medium')
      .user(ASK)
      .answer(
        says([
          { type: 'thinking', thinking: [{ type: 'text', text: thought('a') }], closed: true },
          { type: 'text', text: 'Four.' },
        ]),
      )
      .user('since?')
      .send(),
  );
  judged('reasoning_content fabricated for an answer without', () =>
    loop('kimi-k2.6', {})
      .send(bot(0, { reasoning_content: 'I should call the tool.' }))
      .finds({ fabricated: 1 }),
  );
  // LiteLLM redacted
  judged('LiteLLM redacted dropped', () =>
    loop(
      'claude-sonnet-4-5',
      {
        thinking_blocks: [
          { type: 'thinking', thinking: thought('a'), signature: seal('a') },
          { type: 'redacted_thinking', data: seal('r') },
        ],
      },
      { thinking: { type: 'enabled', budget_tokens: 2000 } },
      { endpoint: 'litellm' },
    )
      .send(bot(0, { thinking_blocks: [{ type: 'thinking', thinking: thought('a'), signature: seal('a') }] }))
      .finds({ dropped: 1 }),
  );
  judged('Copilot Gemini opaque', () =>
    loop('gemini-3-pro-preview', { reasoning_opaque: seal('a') }, {}, { endpoint: 'https://api.githubcopilot.com' })
      .send(bot(0, { reasoning_opaque: undefined }))
      .finds({ dropped: 1 }),
  );
  judged('R1 last fragment streamed', () => {
    const talk = chat(V4, TOOLS)
      .user(ASK)
      .send()
      .receive({
        stream: [
          { choices: [{ delta: { role: 'assistant', reasoning_content: 'First look at the list, ' } }] },
          { choices: [{ delta: { reasoning_content: 'then compare the depots, ' } }] },
          { choices: [{ delta: { reasoning_content: 'then call.' } }] },
          {
            choices: [
              {
                delta: {
                  tool_calls: [
                    {
                      index: 0,
                      id: 'call_c1',
                      type: 'function',
                      function: { name: 'lookup', arguments: '{"key":"c1"}' },
                    },
                  ],
                },
                finish_reason: 'tool_calls',
              },
            ],
          },
        ],
      });
    return talk
      .add(calls({ reasoning_content: 'then call.' }, 'c1'), tool('c1'))
      .send()
      .finds({ edited: 1 });
  });
});
