import { describe, expect, it } from 'vitest';
import { BINDING, type Loose, post, simulator } from './support.ts';

const A = 'adaptive';
const REFUSED = {
  adaptive: 'adaptive thinking is not supported on this model',
  enabled: '"thinking.type.enabled" is not supported for this model',
  between_tools: '"thinking.type.between_tools" is not supported',
  disabled: '"thinking.type.disabled" is not supported for this model',
} as const;

/** Rows: model; then what omitted, adaptive, enabled, between_tools, disabled come to (`400` = refused). */
const ROWS: readonly (readonly [string, string, string, string, string, string])[] = [
  ['claude-opus-5-5', A, A, '400', '400', '400'],
  ['claude-fable-5-1', A, A, '400', '400', '400'],
  ['claude-mythos-5-1', A, A, '400', '400', '400'],
  ['claude-fable-5', A, A, '400', '400', '400'],
  ['claude-mythos-5', A, A, '400', '400', '400'],
  ['claude-fable-5-2', A, A, '400', '400', '400'],
  ['claude-mythos-5-2', A, A, '400', '400', '400'],
  ['claude-sonnet-5-5', A, A, '400', 'between_tools', '400'],
  ['claude-haiku-5-5', A, A, '400', '400', 'off'],
  ['claude-opus-5', A, A, '400', '400', 'off'],
  ['claude-sonnet-5', A, A, '400', '400', 'off'],
  ['claude-opus-4-8', 'off', A, '400', '400', 'off'],
  ['claude-opus-4-7', 'off', A, '400', '400', 'off'],
  ['claude-mythos-preview', A, A, 'enabled', '400', '400'],
  ['claude-opus-4-6', 'off', A, 'enabled', '400', 'off'],
  ['claude-sonnet-4-6', 'off', A, 'enabled', '400', 'off'],
  ['claude-opus-4-5', 'off', '400', 'enabled', '400', 'off'],
  ['claude-sonnet-4-5-20250929', 'off', '400', 'enabled', '400', 'off'],
  ['claude-haiku-4-5-20251001', 'off', '400', 'enabled', '400', 'off'],
  ['claude-sonnet-4', 'off', '400', 'enabled', '400', 'off'],
  ['claude-3-7-sonnet-20250219', 'off', '400', 'enabled', '400', 'off'],
];

const CONFIGS: readonly Loose[] = [
  undefined,
  { type: 'adaptive' },
  { type: 'enabled', budget_tokens: 1024 },
  { type: 'between_tools' },
  { type: 'disabled' },
];

const ask = (model: string, more: Loose = {}) => ({
  model,
  max_tokens: 2000,
  messages: [{ role: 'user', content: 'Hello' }],
  ...more,
});

describe('the thinking parameter, per model', () => {
  for (const [model, ...outcomes] of ROWS) {
    it(model, async () => {
      const sim = await simulator();
      for (const [index, outcome] of outcomes.entries()) {
        const config = CONFIGS[index];
        const sent = await post(sim, ask(model, config && { thinking: config }));
        if (outcome === '400') {
          expect(sent.status).toBe(400);
          expect(sent.body.error.message).toContain(REFUSED[config.type as keyof typeof REFUSED]);
          continue;
        }
        expect(sent.status).toBe(200);
        expect(sent.verdict.thinking?.mode).toBe(outcome);
        // `between_tools` has no thinking up front.
        const thinks = outcome === 'adaptive' || outcome === 'enabled';
        expect(sent.body.content[0].type).toBe(thinks ? 'thinking' : 'text');
        expect(sent.body.usage.output_tokens_details.thinking_tokens > 0).toBe(thinks);
      }
    });
  }

  it('tells the same through the models endpoint', async () => {
    const sim = await simulator();
    for (const [model, , ...outcomes] of ROWS) {
      const response = await fetch(`${sim.url}/v1/models/${model}`, { headers: { 'x-api-key': 'key' } });
      const { types } = ((await response.json()) as Loose).capabilities.thinking;
      const names = ['adaptive', 'enabled', 'between_tools', 'disabled'];
      expect(names.map((name) => types[name].supported)).toEqual(outcomes.map((outcome) => outcome !== '400'));
    }
  });
});

describe('what goes with it', () => {
  const refused: readonly (readonly [string, Loose, string, Loose?])[] = [
    [
      'haiku-5-5 off above high',
      ask('claude-haiku-5-5', { thinking: { type: 'disabled' }, output_config: { effort: 'xhigh' } }),
      'is not supported when thinking is disabled on this model',
    ],
    [
      'opus-5 off above high',
      ask('claude-opus-5', { thinking: { type: 'disabled' }, output_config: { effort: 'max' } }),
      'is not supported when thinking is disabled on this model',
    ],
    [
      'sonnet-5-5 between tools above high',
      ask('claude-sonnet-5-5', { thinking: { type: 'between_tools' }, output_config: { effort: 'max' } }),
      'is not supported when thinking is disabled on this model',
    ],
    [
      'sonnet-5-5 says how to turn it off',
      ask('claude-sonnet-5-5', { thinking: { type: 'disabled' } }),
      'To turn thinking off on this model',
    ],
    [
      'between_tools takes no display',
      ask('claude-sonnet-5-5', { thinking: { type: 'between_tools', display: 'omitted' } }),
      'display: Extra inputs are not permitted',
    ],
    [
      'disabled takes no display',
      ask('claude-sonnet-5', { thinking: { type: 'disabled', display: 'omitted' } }),
      'display: Extra inputs are not permitted',
    ],
    [
      'between_tools takes no block_binding',
      ask('claude-sonnet-5-5', { thinking: { type: 'between_tools', block_binding: {} } }),
      'block_binding: Extra inputs are not permitted',
      [BINDING],
    ],
    [
      'block_binding needs its header',
      ask('claude-opus-5-5', {
        thinking: { type: 'adaptive', block_binding: { prefix_mismatch_behavior: 'drop_block' } },
      }),
      'block_binding: Extra inputs are not permitted',
    ],
    [
      'updates need their header',
      ask('claude-opus-5-5', { thinking: { type: 'adaptive', display: 'updates' } }),
      'display: Input should be',
    ],
    ['a budget is due', ask('claude-sonnet-4-5', { thinking: { type: 'enabled' } }), 'budget_tokens: Field required'],
    [
      'a budget has a floor',
      ask('claude-sonnet-4-5', { thinking: { type: 'enabled', budget_tokens: 1000 } }),
      'greater than or equal to 1024',
    ],
    [
      'a budget has a ceiling',
      ask('claude-sonnet-4-5', { thinking: { type: 'enabled', budget_tokens: 2000 } }),
      'must be greater than',
    ],
  ];
  for (const [name, body, fragment, betas] of refused) {
    it(name, async () => {
      const sent = await post(await simulator(), body, betas && { betas });
      expect(sent.status).toBe(400);
      expect(sent.body).toMatchObject({ type: 'error', error: { type: 'invalid_request_error' } });
      expect(sent.body.error.message).toContain(fragment);
    });
  }

  it('a sonnet-5 takes any effort with thinking off', async () => {
    const body = ask('claude-sonnet-5', { thinking: { type: 'disabled' }, output_config: { effort: 'max' } });
    expect((await post(await simulator(), body)).status).toBe(200);
  });

  it('an effort per message may not differ where thinking is off up front', async () => {
    const sim = await simulator();
    const change = { role: 'system', output_config: { effort: 'low' } };
    const betas = ['mid-conversation-output-config-2026-07-01'];
    const messages = [{ role: 'user', content: 'Hello' }, change];
    for (const [model, type] of [
      ['claude-haiku-5-5', 'disabled'],
      ['claude-sonnet-5-5', 'between_tools'],
    ] as const) {
      const sent = await post(sim, ask(model, { thinking: { type }, messages }), { betas });
      expect(sent.body.error.message).toContain('effort cannot change when thinking is disabled');
    }
    expect((await post(sim, ask('claude-haiku-5-5', { messages }), { betas })).status).toBe(200);
  });
});

describe('display', () => {
  const script = [{ content: [{ think: 'One. Two.' }, { progress: 'Now searching.' }, { tool: 'search', input: {} }] }];
  const shown: readonly (readonly [string, string | undefined, readonly string[]])[] = [
    ['claude-opus-5-5', undefined, ['', '']],
    ['claude-opus-5-5', 'summarized', ['One.', 'Now searching.']],
    ['claude-opus-5-5', 'updates', ['', 'Now searching.']],
    ['claude-opus-5-5', 'omitted', ['', '']],
    ['claude-opus-4-6', undefined, ['One.']],
    ['claude-opus-4-7', undefined, ['']],
  ];
  for (const [model, display, texts] of shown) {
    it(`${model} ${display ?? 'default'}`, async () => {
      const sim = await simulator({ anthropic: { script } });
      const thinking = { type: 'adaptive', ...(display && { display }) };
      const sent = await post(sim, ask(model, { thinking }), { betas: ['thinking-display-updates-2026-08-18'] });
      const blocks = sent.body.content.filter((block: Loose) => block.type === 'thinking');
      expect(blocks.map((block: Loose) => block.thinking)).toEqual(texts);
      for (const block of blocks) expect(block.signature.length).toBeGreaterThan(200);
    });
  }

  it('progress updates come with text under between_tools', async () => {
    const sim = await simulator({ anthropic: { script } });
    const sent = await post(sim, ask('claude-sonnet-5-5', { thinking: { type: 'between_tools' } }));
    expect(sent.body.content.map((block: Loose) => block.thinking)).toEqual(['Now searching.', undefined]);
  });
});
