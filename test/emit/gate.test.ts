import { describe, expect, test } from 'vitest';
import { gateLabels, gateRefusals, passes } from '../../src/emit/gate.ts';
import { ATTRIBUTES, type AttributeSpec, type Place, type Shape, VALUE_OTHER } from '../../src/semconv.ts';

const PROSE = 'Tell me about my medical history, please.';

/** One value of each shape that has to pass, and what must not. */
const SHAPES: Readonly<Record<Shape, { passes: readonly string[]; refuses: readonly string[] }>> = {
  word: { passes: ['adaptive', 'between_tools', 'xhigh'], refuses: ['Adaptive', 'a b', 'MARKER'] },
  label: {
    passes: ['Travel Agent', 'billing/triage-2', 'Order desk of Porto'],
    refuses: ['one two three four five', ' agent', 'agent ', 'the agent: "x"', '2nd agent', `a ${'x'.repeat(33)}`],
  },
  code: { passes: ['end_turn', 'MAX_TOKENS', 'gcp.vertex_ai'], refuses: ['a b', '9lives'] },
  error: { passes: ['overloaded_error', '400', 'APIConnectionError'], refuses: ['600', '40', '400 bad request'] },
  model: {
    passes: ['claude-opus-4-5', 'us.anthropic.claude-x-v1:0', 'models/gemini-3', 'claude@20250929'],
    refuses: ['claude opus', 'claude\nopus', 'claude"', '', 'clåude'],
  },
  tool: { passes: ['get_weather', 'mcp.files/read'], refuses: ['get weather', 'x'.repeat(129), '{"a":1}'] },
  id: { passes: ['msg_01AbC', 'chatcmpl-123'], refuses: ['msg 01', '<id>'] },
  span_id: { passes: ['b7ad6b7169203331'], refuses: ['0000000000000000', 'b7ad6b716920333', 'B7AD6B7169203331'] },
  path: { passes: ['messages.3.content.0', 'messages', 'system'], refuses: ['messages[3]', 'messages..3', '3.x'] },
  host: { passes: ['api.example.com', '127.0.0.1', '[::1]'], refuses: ['user@host', 'a b', 'host/path'] },
  version: { passes: ['1.14.0', '0.301.1-rc.1'], refuses: ['latest', 'v1'] },
};

const sampleOf = ({ type, values, shape }: AttributeSpec): unknown => {
  const text = values?.[0] ?? (shape && SHAPES[shape].passes[0]);
  return { string: text, 'string[]': [text], int: 3, double: 0.5, boolean: true }[type];
};

describe('the content gate', () => {
  test.each(ATTRIBUTES.map((spec) => [spec.name, spec] as const))('%s', (name, spec) => {
    const place = spec.places[0] as Place;
    const sample = sampleOf(spec);
    expect(gateLabels(place, [[name, sample]])).toEqual({ [name]: sample });
    // Of no attribute is free text a value, nor anything that could hold it.
    const others: unknown[] = [PROSE, [PROSE], { text: PROSE }, Symbol('x'), null, Number.NaN, -1, 'x'.repeat(257)];
    for (const other of others)
      expect(gateLabels(place, [[name, other]])).toEqual(spec.type === 'double' && other === -1 ? { [name]: -1 } : {});
  });

  test('an attribute passes only at the places that the registry names', () => {
    const places: readonly Place[] = ['call', 'run', 'event', 'metric'];
    for (const spec of ATTRIBUTES) {
      for (const place of places) {
        expect(passes(place, spec.name, sampleOf(spec)), `${spec.name} at ${place}`).toBe(spec.places.includes(place));
      }
    }
  });

  test.each(Object.entries(SHAPES))('shape %s', (shape, { passes: good, refuses }) => {
    const spec = ATTRIBUTES.find((attribute) => attribute.shape === shape && attribute.type === 'string');
    if (spec === undefined) throw new Error(`no attribute of shape ${shape}`);
    const place = spec.places[0] as Place;
    for (const value of [...good, VALUE_OTHER]) expect(passes(place, spec.name, value), value).toBe(true);
    for (const value of refuses) expect(passes(place, spec.name, value), value).toBe(false);
  });

  test('what is unknown is left out, what is undefined is no refusal', () => {
    expect(
      gateLabels('call', [
        ['gen_ai.input.messages', 'x'],
        ['prompt', 'x'],
      ]),
    ).toEqual({});
    const before = gateRefusals().get('reasoning.mode') ?? 0;
    expect(gateLabels('call', [['reasoning.mode', undefined]])).toEqual({});
    expect(gateRefusals().get('reasoning.mode') ?? 0).toBe(before);
    gateLabels('call', [['reasoning.mode', PROSE]]);
    expect(gateRefusals().get('reasoning.mode')).toBe(before + 1);
  });

  test('a list longer than 32 is left out whole', () => {
    const kinds = Array.from({ length: 33 }, () => 'dropped');
    expect(gateLabels('call', [['reasoning.finding.kinds', kinds]])).toEqual({});
    expect(gateLabels('call', [['reasoning.finding.kinds', kinds.slice(1)]])).not.toEqual({});
  });
});
