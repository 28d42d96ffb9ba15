import { describe, it } from 'vitest';
import { chat, check, type Talk } from './talk.ts';
import { all, bot, calls, type Item, LOOKUP, says, seal, signed, thought, tool, toolCall, user } from './wire.ts';

/** Expected clean; `judged`: expected as the talk itself says. */
const clean = (title: string, talk: () => Talk): void => it(title, () => check(talk()));
const judged = clean;
const ASK = 'Which of the six depots is short of salt?';

describe('as clients and gateways send it', () => {
  const R = (name: string): Item => ({ reasoning_content: thought(name) });
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
    loop(V4, R('a'), TOOLS).send(() => [
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
            { type: 'thinking', thinking: [{ type: 'text', text: thought('a').slice(0, 75) }], closed: true },
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

// Rules: a readable string and its opaque sibling are one unit, elements of a list one each; with a seal the seal is the identity;
// answers of which a seal survives, joined, are merged; a piece too many of one answer is split; closed turns by the model behind.
describe('in longer runs', () => {
  const R = (name: string): Item => ({ reasoning_content: thought(name) });
  const gone = { reasoning_content: undefined };
  const loop = (model: string, fields: Item, config: Item = {}, meta?: Item): Talk =>
    chat(model, config, meta).user(ASK).answer(calls(fields, 'c1')).results('c1');
  const V4 = 'deepseek-v4-pro';
  const TOOLS = { tools: LOOKUP };
  const text = (name: string, index = 0): Item => ({
    type: 'reasoning.text',
    text: thought(name),
    signature: seal(name),
    format: 'anthropic-claude-v1',
    index,
  });
  const enc = (name: string, format: string, index = 0): Item => ({
    type: 'reasoning.encrypted',
    data: seal(name),
    format,
    index,
  });
  judged('signature key renamed', () =>
    chat('gemini-3-pro-preview')
      .user(ASK)
      .answer(calls({}, toolCall('c1', signed(seal('a')))))
      .results('c1')
      .send(bot(0, calls({}, toolCall('c1', { extra_content: { google: { thoughtSignature: seal('a') } } }))))
      .finds({ edited: 1 }),
  );
  clean('DeepSeek: last request without tools', () => loop(V4, R('a'), TOOLS).send(bot(0, gone), { tools: undefined }));
  clean('DeepSeek: last request without tools, sent', () =>
    loop(V4, R('a'), TOOLS).send(undefined, { tools: undefined }),
  );
  clean('DeepSeek: another model of it', () => loop('deepseek-v4-flash', R('a'), TOOLS).with({ model: V4 }).send());
  judged('DeepSeek: filler where it had thought nothing', () =>
    loop(V4, {}, TOOLS)
      .send(bot(0, { reasoning_content: ' ' }))
      .finds({ fabricated: 1 }),
  );
  judged('LiteLLM: string kept, blocks gone', () =>
    loop(
      'claude-sonnet-4-5',
      {
        reasoning_content: thought('a'),
        thinking_blocks: [{ type: 'thinking', thinking: thought('a'), signature: seal('a') }],
      },
      { thinking: { type: 'enabled', budget_tokens: 2000 } },
      { endpoint: 'litellm' },
    )
      .send(bot(0, { thinking_blocks: undefined }))
      .finds({ edited: 1 }),
  );
  clean('LiteLLM: blocks kept, string gone', () =>
    loop(
      'claude-sonnet-4-5',
      {
        reasoning_content: thought('a'),
        thinking_blocks: [{ type: 'thinking', thinking: thought('a'), signature: seal('a') }],
      },
      { thinking: { type: 'enabled', budget_tokens: 2000 } },
      { endpoint: 'litellm' },
    ).send(bot(0, { reasoning_content: undefined })),
  );
  const closed = (model: string, ...details: Item[]): Talk =>
    chat(model)
      .user(ASK)
      .answer(says('Depot four.', { reasoning_details: details }))
      .user('Since when?');
  judged('OpenRouter: Claude that keeps all', () =>
    closed('anthropic/claude-opus-4.7', text('a'))
      .send(bot(0, { reasoning_details: undefined }))
      .finds({ dropped: 1 }),
  );
  judged('OpenRouter: Claude of the last turn', () =>
    closed('anthropic/claude-sonnet-4.5', text('a'))
      .send(bot(0, { reasoning_details: undefined }))
      .notes({ dropped: 1 }),
  );
  clean('OpenRouter: gpt-5.5 closed', () =>
    closed('openai/gpt-5.5', enc('a', 'openai-responses-v1')).send(bot(0, { reasoning_details: undefined })),
  );
  judged('OpenRouter: gpt-5.6 closed', () =>
    closed('openai/gpt-5.6', enc('a', 'openai-responses-v1'))
      .send(bot(0, { reasoning_details: undefined }))
      .finds({ dropped: 1 }),
  );
  judged('OpenRouter: arrived unsigned, closed', () =>
    closed('anthropic/claude-sonnet-4.5', { ...text('a'), signature: undefined })
      .send()
      .notes({ unsigned_on_arrival: 1 }),
  );
  judged('OpenRouter: arrived unsigned, keep-all', () =>
    closed('anthropic/claude-opus-4.7', { ...text('a'), signature: undefined })
      .send()
      .finds({ unsigned_on_arrival: 1 }),
  );
  clean('OpenRouter: there and back', () => {
    const t = loop('google/gemini-3-pro-preview', { reasoning_details: [enc('a', 'google-gemini-v1')] });
    chat('anthropic/claude-sonnet-4.5', {}, undefined, t.wire)
      .add(user(ASK), calls({}, 'c1'), tool('c1'))
      .answer(says('hm hm hm'));
    return t.send();
  });
  judged('OpenRouter: two types at one index', () =>
    loop('openai/gpt-5.5', {
      reasoning_details: [
        { type: 'reasoning.summary', summary: thought('a'), format: 'openai-responses-v1', index: 0 },
        enc('a', 'openai-responses-v1', 0),
      ],
    })
      .send(
        bot(0, {
          reasoning_details: [
            { type: 'reasoning.summary', summary: thought('a'), format: 'openai-responses-v1', index: 0 },
          ],
        }),
      )
      .finds({ dropped: 1 }),
  );
  judged('OpenRouter: made-up signature', () =>
    loop('anthropic/claude-sonnet-4.5', {})
      .send(bot(0, { reasoning_details: [text('made')] }))
      .finds({ fabricated: 1 }),
  );
  clean('OpenAI chat: sent in the loop', () => loop('gpt-5.5', R('a')).send());
  clean('OpenAI chat: left out in the loop', () => loop('gpt-5.5', R('a')).send(bot(0, gone)));
  clean('OpenAI chat: left out in a closed turn', () =>
    chat('gpt-5.5')
      .user(ASK)
      .answer(says('four', R('a')))
      .user('since?')
      .send(bot(0, gone)),
  );
  clean('OpenRouter: joined from pieces', () => {
    const t = chat('anthropic/claude-sonnet-4.5')
      .user(ASK)
      .send()
      .receive({
        stream: [
          {
            choices: [
              {
                delta: {
                  reasoning: 'First look. ',
                  reasoning_details: [
                    { type: 'reasoning.text', text: 'First look. ', format: 'anthropic-claude-v1', index: 0 },
                  ],
                },
              },
            ],
          },
          {
            choices: [
              {
                delta: {
                  reasoning: 'Then call.',
                  reasoning_details: [
                    { type: 'reasoning.text', text: 'Then call.', format: 'anthropic-claude-v1', index: 0 },
                  ],
                },
              },
            ],
          },
          {
            choices: [
              {
                delta: {
                  reasoning_details: [
                    { type: 'reasoning.text', signature: seal('z'), format: 'anthropic-claude-v1', index: 0 },
                  ],
                },
              },
            ],
          },
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
    return t
      .add(
        calls(
          {
            reasoning_details: [
              {
                type: 'reasoning.text',
                text: 'First look. Then call.',
                signature: seal('z'),
                format: 'anthropic-claude-v1',
                index: 0,
              },
            ],
          },
          'c1',
        ),
        tool('c1'),
      )
      .send();
  });
  judged('OpenRouter: stream, signature piece lost', () => {
    const t = chat('anthropic/claude-sonnet-4.5')
      .user(ASK)
      .send()
      .receive({
        stream: [
          {
            choices: [
              {
                delta: {
                  reasoning_details: [
                    { type: 'reasoning.text', text: 'First look. ', format: 'anthropic-claude-v1', index: 0 },
                  ],
                },
              },
            ],
          },
          {
            choices: [
              {
                delta: {
                  reasoning_details: [
                    { type: 'reasoning.text', text: 'Then call.', format: 'anthropic-claude-v1', index: 0 },
                  ],
                },
              },
            ],
          },
          {
            choices: [
              {
                delta: {
                  reasoning_details: [
                    { type: 'reasoning.text', signature: seal('z'), format: 'anthropic-claude-v1', index: 0 },
                  ],
                },
              },
            ],
          },
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
    return t
      .add(
        calls(
          {
            reasoning_details: [
              { type: 'reasoning.text', text: 'First look. Then call.', format: 'anthropic-claude-v1', index: 0 },
            ],
          },
          'c1',
        ),
        tool('c1'),
      )
      .send()
      .finds({ edited: 1 });
  });
  judged('OpenRouter: stream, last piece only', () => {
    const t = chat('anthropic/claude-sonnet-4.5')
      .user(ASK)
      .send()
      .receive({
        stream: [
          {
            choices: [
              {
                delta: {
                  reasoning_details: [
                    { type: 'reasoning.text', text: 'First look. ', format: 'anthropic-claude-v1', index: 0 },
                  ],
                },
              },
            ],
          },
          {
            choices: [
              {
                delta: {
                  reasoning_details: [
                    { type: 'reasoning.text', signature: seal('z'), format: 'anthropic-claude-v1', index: 0 },
                  ],
                },
              },
            ],
          },
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
    return t
      .add(
        calls(
          {
            reasoning_details: [
              { type: 'reasoning.text', signature: seal('z'), format: 'anthropic-claude-v1', index: 0 },
            ],
          },
          'c1',
        ),
        tool('c1'),
      )
      .send()
      .finds({ edited: 1 });
  });
  clean('keep all given up', () =>
    chat('kimi-k2.6', { thinking: { type: 'enabled', keep: 'all' } })
      .user(ASK)
      .answer(says('Depot four.', R('a')))
      .user('Since?')
      .send(bot(0, gone), { thinking: { type: 'enabled' } }),
  );
  judged('Kimi: parallel calls split, reasoning on both', () =>
    chat('kimi-k2.6')
      .user(ASK)
      .answer(calls(R('a'), 'c1', 'c2'))
      .send(() => [user(ASK), calls(R('a'), 'c1'), tool('c1'), calls(R('a'), 'c2'), tool('c2')])
      .finds({ split: 1, duplicated: 1 }),
  );
  judged('OpenRouter: parallel calls split, details on both', () =>
    chat('anthropic/claude-sonnet-4.5')
      .user(ASK)
      .answer(calls({ reasoning_details: [text('a')] }, 'c1', 'c2'))
      .send(() => [
        user(ASK),
        calls({ reasoning_details: [text('a')] }, 'c1'),
        tool('c1'),
        calls({ reasoning_details: [text('a')] }, 'c2'),
        tool('c2'),
      ])
      .finds({ split: 1, duplicated: 1 }),
  );
  judged('content and calls in two messages, reasoning lost', () =>
    loop(V4, { ...R('a'), content: 'Let me look that up.' }, TOOLS)
      .send(() => [user(ASK), says('Let me look that up.'), calls({}, 'c1'), tool('c1')])
      .finds({ split: 1, dropped: 1 }),
  );
  judged('content with reasoning and calls apart', () =>
    loop(V4, { ...R('a'), content: 'Let me look that up.' }, TOOLS)
      .send(() => [user(ASK), says('Let me look that up.', R('a')), calls({}, 'c1'), tool('c1')])
      .finds({ split: 1 }),
  );
  judged('two answers joined, one signature survives', () =>
    chat('anthropic/claude-sonnet-4.5')
      .user(ASK)
      .answer(calls({ reasoning_details: [text('a')] }, 'c1'))
      .results('c1')
      .answer(calls({ reasoning_details: [text('b')] }, 'c2'))
      .results('c2')
      .send(() => [user(ASK), calls({ reasoning_details: [text('a')] }, 'c1', 'c2'), tool('c1'), tool('c2')])
      .finds({ merged: 1, dropped: 1 }),
  );
  judged('two answers joined, both survive', () =>
    chat('anthropic/claude-sonnet-4.5')
      .user(ASK)
      .answer(calls({ reasoning_details: [text('a')] }, 'c1'))
      .results('c1')
      .answer(calls({ reasoning_details: [text('b')] }, 'c2'))
      .results('c2')
      .send(() => [user(ASK), calls({ reasoning_details: [text('a'), text('b')] }, 'c1', 'c2'), tool('c1'), tool('c2')])
      .finds({ merged: 1 }),
  );
  judged('one of two parallel calls removed from a signed answer', () =>
    chat('anthropic/claude-sonnet-4.5')
      .user(ASK)
      .answer(calls({ reasoning_details: [text('a')] }, 'c1', 'c2'))
      .results('c1', 'c2')
      .send(() => [user(ASK), calls({ reasoning_details: [text('a')] }, 'c1'), tool('c1')])
      .finds({ edited: 1 }),
  );
  judged('details moved to the other step', () =>
    chat('anthropic/claude-sonnet-4.5')
      .user(ASK)
      .answer(calls({ reasoning_details: [text('a')] }, 'c1'))
      .results('c1')
      .answer(calls({}, 'c2'))
      .results('c2')
      .send(all(bot(0, { reasoning_details: undefined }), bot(1, { reasoning_details: [text('a')] })))
      .finds({ misplaced: 1 }),
  );
  judged('Copilot: opaque value cut', () =>
    loop(
      'claude-opus-4.5',
      { reasoning_text: thought('a'), reasoning_opaque: seal('a') },
      {},
      { endpoint: 'https://api.githubcopilot.com' },
    )
      .send(bot(0, { reasoning_opaque: seal('a').slice(0, 150) }))
      .finds({ edited: 1 }),
  );
  judged('Gemini 2.5 in the loop', () =>
    chat('gemini-2.5-pro', TOOLS)
      .user(ASK)
      .answer(calls({}, toolCall('c1', signed(seal('a')))))
      .results('c1')
      .send(bot(0, calls({}, 'c1')))
      .finds({ dropped: 1 }),
  );
  clean('Gemini 2.5 closed', () =>
    chat('gemini-2.5-pro', TOOLS)
      .user(ASK)
      .answer(calls({}, toolCall('c1', signed(seal('a')))))
      .results('c1')
      .answer(says('Depot four.'))
      .user('Since?')
      .send(bot(0, calls({}, 'c1'))),
  );
  judged('Gemini: other account', () =>
    chat('gemini-3-pro-preview', {}, { auth_fingerprint: 'one' })
      .user(ASK)
      .answer(calls({}, toolCall('c1', signed(seal('a')))))
      .results('c1')
      .to({ auth_fingerprint: 'two' })
      .send()
      .finds({ foreign: 1 }),
  );
  judged('Gemini: refused as corrupted', () =>
    chat('gemini-3-pro-preview')
      .user(ASK)
      .answer(calls({}, toolCall('c1', signed(seal('a')))))
      .results('c1')
      .send()
      .finds({ foreign: 1 })
      .fails(400, 'Corrupted thought signature.'),
  );
  clean('Gemini: left out for GLM', () =>
    chat('gemini-3-pro-preview')
      .user(ASK)
      .answer(calls({}, toolCall('c1', signed(seal('a')))))
      .results('c1')
      .with({ model: 'glm-5.1' })
      .send(bot(0, calls({}, 'c1'))),
  );
});

describe('copies, joins and lists', () => {
  const text = (name: string, index = 0): Item => ({
    type: 'reasoning.text',
    text: thought(name),
    signature: seal(name),
    format: 'anthropic-claude-v1',
    index,
  });
  const two = (): Talk =>
    chat('anthropic/claude-sonnet-4.5')
      .user(ASK)
      .answer(calls({ reasoning_details: [text('a', 0), text('b', 1)] }, 'c1'))
      .results('c1');
  // Reasoning sent again as ordinary assistant text.
  judged('a chunk of thinking as a chunk of text', () =>
    chat('mistral-medium-latest')
      .user(ASK)
      .answer(
        says([
          { type: 'thinking', thinking: [{ type: 'text', text: thought('a') }], closed: true },
          { type: 'text', text: 'The late one.' },
        ]),
      )
      .user('And on Monday?')
      .send(
        bot(0, {
          content: [
            { type: 'text', text: thought('a') },
            { type: 'text', text: 'The late one.' },
          ],
        }),
      )
      .finds({ converted_to_text: 1 }),
  );
  // Copies beyond the first; a fragment with a seal already seen in that message is a copy.
  judged('a detail twice', () =>
    two()
      .send(bot(0, { reasoning_details: [text('a', 0), text('b', 1), text('b', 1)] }))
      .finds({ duplicated: 1 }),
  );
  judged('the whole list twice', () =>
    two()
      .send(bot(0, { reasoning_details: [text('a', 0), text('b', 1), text('a', 0), text('b', 1)] }))
      .finds({ duplicated: 2 }),
  );
  judged('the signature once more, alone', () =>
    chat('anthropic/claude-sonnet-4.5')
      .user(ASK)
      .answer(calls({ reasoning_details: [text('a')] }, 'c1'))
      .results('c1')
      .send(bot(0, { reasoning_details: [text('a'), { ...text('a'), text: undefined }] }))
      .finds({ duplicated: 1 }),
  );
  // merged: answers of which a seal survives, joined into one.
  judged('two answers in one message, both signatures there, both with index 0', () =>
    chat('anthropic/claude-sonnet-4.5')
      .user(ASK)
      .answer(calls({ reasoning_details: [text('a')] }, 'c1'))
      .results('c1')
      .answer(calls({ reasoning_details: [text('b')] }, 'c2'))
      .results('c2')
      .send(() => [user(ASK), calls({ reasoning_details: [text('a'), text('b')] }, 'c1', 'c2'), tool('c1'), tool('c2')])
      .finds({ merged: 1 }),
  );
});

// Rule: a reseller applies the model's rule; where neither host nor model is known only neutral checks hold; text of another maker,
// relabelled, is foreign; models that check what stands before are checked behind a gateway too.
describe("the model's rule at other hosts", () => {
  const R = (name: string): Item => ({ reasoning_content: thought(name) });
  const gone = { reasoning_content: undefined };
  const nodet = { reasoning_details: undefined };
  const loop = (model: string, fields: Item, config: Item = {}, meta?: Item): Talk =>
    chat(model, config, meta).user(ASK).answer(calls(fields, 'c1')).results('c1');
  const closed = (model: string, fields: Item, config: Item = {}, meta?: Item): Talk =>
    chat(model, config, meta).user(ASK).answer(says('Depot four.', fields)).user('Since when?');
  const text = (name: string, format: string, index = 0): Item => ({
    type: 'reasoning.text',
    text: thought(name),
    format,
    index,
  });
  const stext = (name: string, index = 0): Item => ({
    ...text(name, 'anthropic-claude-v1', index),
    signature: seal(name),
  });
  const enc = (name: string, format: string, index = 0): Item => ({
    type: 'reasoning.encrypted',
    data: seal(name),
    format,
    index,
  });
  const G = 'google-gemini-v1';
  clean('Gemini: summary left out, signature kept', () =>
    chat('gemini-3-pro-preview', {}, { endpoint: 'litellm' })
      .user(ASK)
      .answer(calls(R('s'), toolCall('c1', signed(seal('a')))))
      .results('c1')
      .send(bot(0, gone)),
  );
  clean('OpenRouter Gemini as received', () =>
    loop('google/gemini-3-pro-preview', {
      reasoning: thought('a'),
      reasoning_details: [text('a', G, 0), enc('a', G, 1)],
    }).send(),
  );
  clean('OpenRouter OpenAI as received', () =>
    loop('openai/gpt-5.5', {
      reasoning_details: [
        { type: 'reasoning.summary', summary: thought('a'), format: 'openai-responses-v1', index: 0 },
        enc('a', 'openai-responses-v1', 0),
      ],
    }).send(),
  );
  clean('OpenRouter xAI summary only', () =>
    loop('x-ai/grok-4.7', {
      reasoning_details: [{ type: 'reasoning.summary', summary: thought('a'), format: 'xai-responses-v1', index: 0 }],
    }).send(),
  );
  judged('OpenRouter DeepSeek, open', () =>
    loop(
      'deepseek/deepseek-v4-pro',
      { reasoning: thought('a'), reasoning_details: [text('a', 'unknown')] },
      { tools: LOOKUP },
    )
      .send(bot(0, { reasoning: undefined, ...nodet }))
      .finds({ dropped: 1 }),
  );
  judged('OpenRouter DeepSeek, closed', () =>
    closed(
      'deepseek/deepseek-v4-pro',
      { reasoning: thought('a'), reasoning_details: [text('a', 'unknown')] },
      { tools: LOOKUP },
    )
      .send(bot(0, { reasoning: undefined, ...nodet }))
      .finds({ dropped: 1 }),
  );
  judged('OpenRouter Kimi k3, closed', () =>
    closed('moonshotai/kimi-k3', { reasoning: thought('a'), reasoning_details: [text('a', 'unknown')] })
      .send(bot(0, { reasoning: undefined, ...nodet }))
      .finds({ dropped: 1 }),
  );
  clean('OpenRouter Kimi k2.6, closed', () =>
    closed('moonshotai/kimi-k2.6', { reasoning: thought('a'), reasoning_details: [text('a', 'unknown')] }).send(
      bot(0, { reasoning: undefined, ...nodet }),
    ),
  );
  judged('OpenRouter MiniMax, closed', () =>
    closed('minimax/minimax-m2.5', { reasoning: thought('a'), reasoning_details: [text('a', 'unknown')] })
      .send(bot(0, { reasoning: undefined, ...nodet }))
      .finds({ dropped: 1 }),
  );
  clean('OpenRouter GLM, closed', () =>
    closed('z-ai/glm-5.1', { reasoning: thought('a'), reasoning_details: [text('a', 'unknown')] }).send(
      bot(0, { reasoning: undefined, ...nodet }),
    ),
  );
  judged('reseller of DeepSeek', () =>
    loop('deepseek-ai/DeepSeek-V4', R('a'), { tools: LOOKUP }, { endpoint: 'https://api.reseller.example/v1' })
      .send(bot(0, gone))
      .finds({ dropped: 1 }),
  );
  judged('reseller of Kimi', () =>
    loop('moonshotai/Kimi-K2.5', R('a'), {}, { endpoint: 'https://api.together.xyz/v1' })
      .send(bot(0, gone))
      .finds({ dropped: 1 }),
  );
  judged('neither known', () =>
    loop('house-model-1', R('a'), {}, { endpoint: 'vendor-x' }).send(bot(0, gone)).finds({ dropped: 1 }),
  );
  judged('Cerebras', () =>
    loop('gpt-oss-120b', { reasoning: thought('a') }, {}, { endpoint: 'https://api.cerebras.ai/v1' })
      .send(bot(0, { reasoning: undefined }))
      .finds({ dropped: 1 }),
  );
  judged('Cerebras, renamed', () =>
    loop('gpt-oss-120b', { reasoning: thought('a') }, {}, { endpoint: 'https://api.cerebras.ai/v1' })
      .send(bot(0, { reasoning: undefined, ...R('a') }))
      .finds({ edited: 1 }),
  );
  clean('null for nothing', () => loop('kimi-k2.6', { reasoning_content: null }).send(bot(0, gone)));
  // Claude models that check what stands before.
  const SYS = (content: string): Item => ({ role: 'system', content });
  const checked = (model: string, meta?: Item): Talk =>
    chat(model, {}, meta)
      .add(SYS('Day shift.'), user(ASK))
      .answer(says('Depot four.', { thinking_blocks: [{ type: 'thinking', thinking: '', signature: seal('a') }] }))
      .user('Since when?');
  clean('LiteLLM: checked, unchanged', () => checked('claude-fable-5-1', { endpoint: 'litellm' }).send());
  judged('LiteLLM: checked, other system text', () =>
    checked('claude-fable-5-1', { endpoint: 'litellm' })
      .send((i) => [SYS('Night shift.'), ...i.slice(1)])
      .finds({ prefix_broken: 1 }),
  );
  clean('LiteLLM: not checked, other system text', () =>
    checked('claude-opus-4-7', { endpoint: 'litellm' }).send((i) => [SYS('Night shift.'), ...i.slice(1)]),
  );
  judged('OpenRouter: checked, other system text', () =>
    chat('anthropic/claude-fable-5.1')
      .add(SYS('Day shift.'), user(ASK))
      .answer(says('Depot four.', { reasoning_details: [stext('a')] }))
      .user('Since when?')
      .send((i) => [SYS('Night shift.'), ...i.slice(1)])
      .finds({ prefix_broken: 1 }),
  );
  judged('OpenRouter gpt-6.2: tool result shortened', () =>
    chat('openai/gpt-6.2-sol')
      .user(ASK)
      .answer(calls({ reasoning_details: [enc('a', 'openai-responses-v1')] }, 'c1'))
      .results('c1')
      .answer(calls({ reasoning_details: [enc('b', 'openai-responses-v1')] }, 'c2'))
      .results('c2')
      .send((i) => i.map((m) => (m.tool_call_id === 'call_c1' ? { ...m, content: '[cleared]' } : m)))
      .finds({ prefix_broken: 1 }),
  );
  judged('Copilot Claude signature relabelled to Gemini', () =>
    loop(
      'claude-opus-4.5',
      { reasoning_text: thought('a'), reasoning_opaque: seal('a') },
      {},
      { endpoint: 'https://api.githubcopilot.com' },
    )
      .with({ model: 'gemini-3-pro-preview' })
      .send()
      .finds({ foreign: 1 }),
  );
  judged('Mistral text goes to Kimi', () =>
    chat('mistral-medium-latest', { reasoning_effort: 'high' })
      .user(ASK)
      .answer(
        calls(
          {
            content: [
              { type: 'thinking', thinking: [{ type: 'text', text: thought('a') }] },
              { type: 'text', text: 'Hm, let me see.' },
            ],
          },
          'c1',
        ),
      )
      .results('c1')
      .with({ model: 'kimi-k2.6', reasoning_effort: undefined })
      .send(bot(0, { content: 'Hm, let me see.', ...R('a') }))
      .finds({ foreign: 1 }),
  );
  judged('MiniMax think text goes to DeepSeek as its own', () =>
    chat('MiniMax-M2.5')
      .user(ASK)
      .answer(calls({ content: `<think>\n${thought('a')}\n</think>\n\nHm, let me see.` }, 'c1'))
      .results('c1')
      .with({ model: 'deepseek-v4-pro', tools: LOOKUP })
      .send(bot(0, { content: 'Hm, let me see.', ...R('a') }))
      .finds({ foreign: 1 }),
  );
  clean('MiniMax: think alone, nothing else', () =>
    loop('MiniMax-M2.5', { content: `<think>\n${thought('a')}\n</think>\n\n` }).send(),
  );
  judged('MiniMax details renamed to reasoning_content', () =>
    loop(
      'MiniMax-M2.5',
      { reasoning_details: [{ type: 'reasoning.text', text: thought('a') }] },
      { reasoning_split: true },
    )
      .send(bot(0, { ...nodet, ...R('a') }))
      .finds({ edited: 1 }),
  );
  judged('MiniMax think moved to reasoning_content', () =>
    loop('MiniMax-M2.5', { content: `<think>\n${thought('a')}\n</think>\n\nHm, let me see.` })
      .send(bot(0, { content: 'Hm, let me see.', ...R('a') }))
      .finds({ edited: 1 }),
  );
  judged('GLM text of the loop in the content of the next answer', () =>
    loop('glm-5.1', R('a'))
      .answer(calls(R('b'), 'c2'))
      .results('c2')
      .send(all(bot(0, gone), bot(1, { content: thought('a') })))
      .finds({ dropped: 1 }),
  );
  judged('Qwen open and reasoning off', () =>
    loop('qwen3.6-plus', R('a'), { enable_thinking: true })
      .send(bot(0, gone), { enable_thinking: false })
      .finds({ dropped: 1, mode_toggled: 1 }),
  );
  judged('DeepSeek closed and open gone together', () =>
    closed('deepseek-v4-pro', R('a'), { tools: LOOKUP })
      .answer(calls(R('b'), 'c1'))
      .results('c1')
      .send(all(bot(0, gone), bot(1, gone)))
      .finds({ dropped: 2 }),
  );
  judged('Kimi closed may, open must', () =>
    closed('kimi-k2.6', R('a'))
      .send()
      .notes({ carried: 1 })
      .reply(calls(R('b'), 'c1'))
      .results('c1')
      .send(all(bot(0, gone), bot(1, gone)))
      .finds({ dropped: 1 }),
  );
  judged('vLLM carried? no: open weights', () =>
    loop('Qwen/Qwen3.6-35B', { reasoning: thought('a') }, {}, { endpoint: 'vllm' })
      .send(bot(0, { reasoning: ' ' }))
      .finds({ dropped: 1, fabricated: 1 }),
  );
});

// Rules: the smallest number to take out; each unit counts once; the text of a survivor of a join is no edit; a constant value in
// place of text is dropped, and fabricated as well.
describe('several units', () => {
  const R = (name: string): Item => ({ reasoning_content: thought(name) });
  const gone = { reasoning_content: undefined };
  const loop = (model: string, fields: Item, config: Item = {}, meta?: Item): Talk =>
    chat(model, config, meta).user(ASK).answer(calls(fields, 'c1')).results('c1');
  const TOOLS = { tools: LOOKUP };
  const V4 = 'deepseek-v4-pro';
  const stext = (name: string, index = 0): Item => ({
    type: 'reasoning.text',
    text: thought(name),
    signature: seal(name),
    format: 'anthropic-claude-v1',
    index,
  });
  const three = (model = 'anthropic/claude-sonnet-4.5'): Talk =>
    chat(model)
      .user(ASK)
      .answer(calls({ reasoning_details: [stext('a', 0), stext('b', 1), stext('c', 2)] }, 'c1'))
      .results('c1');
  judged('three reversed', () =>
    three()
      .send(bot(0, { reasoning_details: [stext('c', 2), stext('b', 1), stext('a', 0)] }))
      .finds({ reordered: 2 }),
  );
  judged('first to the end', () =>
    three()
      .send(bot(0, { reasoning_details: [stext('b', 1), stext('c', 2), stext('a', 0)] }))
      .finds({ reordered: 1 }),
  );
  judged('all signatures off', () =>
    three()
      .send(bot(0, { reasoning_details: ['a', 'b', 'c'].map((n, i) => ({ ...stext(n, i), signature: undefined })) }))
      .finds({ edited: 3 }),
  );
  judged('all texts emptied', () =>
    three()
      .send(bot(0, { reasoning_details: ['a', 'b', 'c'].map((n, i) => ({ ...stext(n, i), text: '' })) }))
      .finds({ edited: 3 }),
  );
  judged('two joined into one element', () =>
    chat('anthropic/claude-sonnet-4.5')
      .user(ASK)
      .answer(calls({ reasoning_details: [stext('a', 0), stext('b', 1)] }, 'c1'))
      .results('c1')
      .send(bot(0, { reasoning_details: [{ ...stext('a'), text: thought('a') + thought('b') }] }))
      .finds({ merged: 1, dropped: 1 }),
  );
  judged('two joined, the seal of the second kept', () =>
    chat('anthropic/claude-sonnet-4.5')
      .user(ASK)
      .answer(calls({ reasoning_details: [stext('a', 0), stext('b', 1)] }, 'c1'))
      .results('c1')
      .send(bot(0, { reasoning_details: [{ ...stext('b', 0), text: thought('a') + thought('b') }] }))
      .finds({ merged: 1, dropped: 1 }),
  );
  clean('empty text with a signature', () =>
    loop('anthropic/claude-opus-4.7', { reasoning_details: [{ ...stext('a'), text: '' }] }).send(),
  );
  judged('empty text with a signature, left out as blank', () =>
    loop('anthropic/claude-opus-4.7', { reasoning_details: [{ ...stext('a'), text: '' }] })
      .send(bot(0, { reasoning_details: undefined }))
      .finds({ dropped: 1 }),
  );
  clean('text put into a block that arrived without', () =>
    loop('anthropic/claude-opus-4.7', { reasoning_details: [{ ...stext('a'), text: '' }] }).send(
      bot(0, { reasoning_details: [stext('a')] }),
    ),
  );
  clean('equal words in two answers', () =>
    loop(V4, { reasoning_content: 'Call the tool.' }, TOOLS)
      .answer(calls({ reasoning_content: 'Call the tool.' }, 'c2'))
      .results('c2')
      .send(),
  );
  judged('equal words in two answers, one gone', () =>
    loop(V4, { reasoning_content: 'Call the tool.' }, TOOLS)
      .answer(calls({ reasoning_content: 'Call the tool.' }, 'c2'))
      .results('c2')
      .send(bot(0, gone))
      .finds({ dropped: 1 }),
  );
  judged('equal words in two answers, the other gone', () =>
    loop(V4, { reasoning_content: 'Call the tool.' }, TOOLS)
      .answer(calls({ reasoning_content: 'Call the tool.' }, 'c2'))
      .results('c2')
      .send(bot(1, gone))
      .finds({ dropped: 1 }),
  );
  judged('short equal answers, one gone', () =>
    chat(V4, TOOLS)
      .user('1')
      .answer(says('ok', { reasoning_content: 'count' }))
      .user('2')
      .answer(says('ok', { reasoning_content: 'again' }))
      .user('3')
      .send(bot(1, gone))
      .finds({ dropped: 1 }),
  );
  judged('short equal answers, first gone', () =>
    chat(V4, TOOLS)
      .user('1')
      .answer(says('ok', { reasoning_content: 'count' }))
      .user('2')
      .answer(says('ok', { reasoning_content: 'again' }))
      .user('3')
      .send(bot(0, gone))
      .finds({ dropped: 1 }),
  );
  judged('constant in all', () =>
    loop(V4, R('a'), TOOLS)
      .answer(calls(R('b'), 'c2'))
      .results('c2')
      .answer(calls(R('d'), 'c3'))
      .results('c3')
      .send(
        all(
          bot(0, { reasoning_content: 'Thinking...' }),
          bot(1, { reasoning_content: 'Thinking...' }),
          bot(2, { reasoning_content: 'Thinking...' }),
        ),
      )
      .finds({ dropped: 3, fabricated: 3 }),
  );
  judged('Kimi: empty string where text was', () =>
    loop('kimi-k2.6', R('a'))
      .send(bot(0, { reasoning_content: '' }))
      .finds({ dropped: 1, fabricated: 1 }),
  );
  judged('GLM: null where text was', () =>
    loop('glm-5.1', R('a'))
      .send(bot(0, { reasoning_content: null }))
      .finds({ dropped: 1 }),
  );
  judged('Kimi refuses', () =>
    loop('kimi-k2.6', R('a'))
      .send(bot(0, gone))
      .finds({ dropped: 1 })
      .fails(400, 'thinking is enabled but reasoning_content is missing in assistant tool call message at index 1')
      .send(bot(0, gone), { thinking: { type: 'disabled' } })
      .finds({ dropped: 1, mode_toggled: 1 }),
  );
  judged('Gemini: batch of three in three messages', () =>
    chat('gemini-3-pro-preview')
      .user(ASK)
      .answer(calls({}, toolCall('c1', signed(seal('a'))), 'c2', 'c3'))
      .send(() => [
        user(ASK),
        calls({}, toolCall('c1', signed(seal('a')))),
        tool('c1'),
        calls({}, 'c2'),
        tool('c2'),
        calls({}, 'c3'),
        tool('c3'),
      ])
      .finds({ split: 2 }),
  );
  judged('Gemini: placeholder on two siblings', () =>
    chat('gemini-3-pro-preview')
      .user(ASK)
      .answer(calls({}, toolCall('c1', signed(seal('a'))), 'c2', 'c3'))
      .results('c1', 'c2', 'c3')
      .send(
        bot(
          0,
          calls(
            {},
            toolCall('c1', signed(seal('a'))),
            toolCall('c2', signed('skip_thought_signature_validator')),
            toolCall('c3', signed('skip_thought_signature_validator')),
          ),
        ),
      )
      .finds({ fabricated: 2 }),
  );
  judged('Gemini: one call of the batch removed', () =>
    chat('gemini-3-pro-preview')
      .user(ASK)
      .answer(calls({}, toolCall('c1', signed(seal('a'))), 'c2'))
      .results('c1', 'c2')
      .send(() => [user(ASK), calls({}, toolCall('c1', signed(seal('a')))), tool('c1')])
      .finds({ edited: 1 }),
  );
  judged('Gemini: signature of the first step on the second', () =>
    chat('gemini-3-pro-preview')
      .user(ASK)
      .answer(calls({}, toolCall('c1', signed(seal('a')))))
      .results('c1')
      .answer(calls({}, toolCall('c2', signed(seal('b')))))
      .results('c2')
      .send(bot(1, calls({}, toolCall('c2', signed(seal('a'))))))
      .finds({ duplicated: 1, dropped: 1 }),
  );
  clean('Gemini: an old turn without, at the loop whole', () =>
    chat('gemini-3-pro-preview')
      .user(ASK)
      .answer(calls({}, toolCall('c1', signed(seal('a')))))
      .results('c1')
      .answer(says('Depot four.'))
      .user('And grit?')
      .answer(calls({}, toolCall('c2', signed(seal('b')))))
      .results('c2')
      .send(bot(0, calls({}, 'c1'))),
  );
  judged('Groq: carried in one of two', () =>
    chat('openai/gpt-oss-120b', {}, { endpoint: 'https://api.groq.com/openai/v1' })
      .user(ASK)
      .answer(says('Depot four.', { reasoning: thought('a') }))
      .user('Since?')
      .send(bot(0, { reasoning: undefined, ...R('a') }))
      .finds({ carried: 1 }),
  );
  clean('from DeepSeek to Groq, left out', () =>
    chat(V4)
      .user(ASK)
      .answer(says('Depot four.', R('a')))
      .user('Since?')
      .with({ model: 'openai/gpt-oss-120b' })
      .to({ endpoint: 'https://api.groq.com/openai/v1' })
      .send(bot(0, gone)),
  );
  judged('Mistral: tags off, only in the second', () =>
    chat('magistral-medium')
      .user(ASK)
      .answer(
        says([
          { type: 'thinking', thinking: [{ type: 'text', text: thought('a') }], closed: true },
          { type: 'text', text: 'Four.' },
        ]),
      )
      .user('Since?')
      .answer(
        says([
          { type: 'thinking', thinking: [{ type: 'text', text: thought('b') }], closed: true },
          { type: 'text', text: 'May.' },
        ]),
      )
      .user('Why?')
      .send(bot(1, { content: 'May.' }))
      .finds({ dropped: 1 }),
  );
});
