import { expect, test } from 'vitest';
import { INTACT_ARM, ON_CALL, STRIPPED_ARM } from '../../dashboards/generator/scope.ts';
import { planArms } from '../../src/run/experiment/arms.ts';
import { ATTR_REASONING_EXPERIMENT_ARM } from '../../src/semconv.ts';

/** Prometheus anchors at both ends. */
const whole = (pattern: string): RegExp => new RegExp(`^(?:${pattern})$`);

test.each([[['intact', 'stripped']], [['stripped', 'stripped']], [['intact', 'intact']]])(
  'the arms of %j are told apart',
  (kinds) => {
    const excluded = ON_CALL.find(({ attribute }) => attribute === ATTR_REASONING_EXPERIMENT_ARM);
    expect(excluded?.operator).toBe('!~');
    for (const { name, strips } of planArms(kinds)) {
      expect(whole(STRIPPED_ARM.value).test(name)).toBe(strips);
      expect(whole(INTACT_ARM.value).test(name)).toBe(!strips);
      expect(whole(excluded?.value ?? '').test(name)).toBe(strips);
    }
  },
);
