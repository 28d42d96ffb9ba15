import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { ALERTS } from '../../dashboards/generator/rules/alerts.ts';
import { SPELT_OUT } from '../../dashboards/generator/rules/recording.ts';
import { alertGroups } from '../../dashboards/generator/rules/render.ts';
import { DEFAULTS } from '../../dashboards/generator/settings.ts';
import { binary } from '../../scripts/stack/programs.ts';
import { CASES } from '../dashboards/promtool/cases.ts';
import type { RuleCase } from '../dashboards/promtool/rule-case.ts';
import { type RuleFiles, runPromtool } from '../dashboards/promtool/run-promtool.ts';
import { readDashboards } from '../dashboards/support/board-json.ts';

const RULES = 'reasoning.rules.yaml';
const ALERT_RULES = 'reasoning.alerts.yaml';
const shipped: RuleFiles = {
  [RULES]: readDashboards(`rules/${RULES}`),
  [ALERT_RULES]: readDashboards(`rules/${ALERT_RULES}`),
};
const test = (rules: RuleFiles, ruleCase: RuleCase) => runPromtool(binary('promtool'), rules, ruleCase);

const named = (part: string): RuleCase => {
  const found = CASES.find(({ name }) => name.includes(part));
  if (found === undefined) throw new Error(`no case is named ${part}`);
  return found;
};
const PERFECT_DAY = named('a perfect day');

it('promtool accepts the rules, warnings included', () => {
  const files = Object.keys(shipped).map((file) =>
    fileURLToPath(new URL(`../../dashboards/rules/${file}`, import.meta.url)),
  );
  const { status, stdout, stderr } = spawnSync(
    binary('promtool'),
    ['check', 'rules', '--lint=all', '--lint-fatal', ...files],
    { encoding: 'utf8' },
  );
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toContain(`SUCCESS: ${ALERTS.length} rules found`);
});

it('every alert has a case in which it fires, and one in which it is silent', () => {
  const names = ALERTS.map(({ name }) => name);
  const checks = CASES.flatMap((each) => each.checks);
  const fires = new Set(checks.filter(({ firing }) => firing.length > 0).map(({ alert }) => alert));
  const silent = new Set(PERFECT_DAY.checks.map(({ alert }) => alert));
  expect([...fires].sort()).toEqual([...names].sort());
  expect([...silent].sort()).toEqual([...names].sort());
});

it.each(CASES)('$name', async (ruleCase) => {
  const { passed, output } = await test(shipped, ruleCase);
  expect(passed, output).toBe(true);
});

/** What Grafana evaluates by itself, put into rules: the same alerts without recorded series. */
const grafana: RuleFiles = {
  [ALERT_RULES]: stringify({
    groups: alertGroups(DEFAULTS, SPELT_OUT),
  }),
};

it('Grafana asks what the rules ask', () => {
  const [group] = parse(readDashboards('grafana/provisioning/alerting/reasoning-otel.yaml')).groups;
  const asked = group.rules.map(
    ({ data }: { data: ReadonlyArray<{ model: { expr?: string } }> }) => data[0]?.model.expr,
  );
  expect(asked).toEqual(alertGroups(DEFAULTS, SPELT_OUT).flatMap(({ rules }) => rules.map(({ expr }) => expr)));
});

describe('evaluated by Grafana', () => {
  it.each(CASES)('$name', async (ruleCase) => {
    const { passed, output } = await test(grafana, ruleCase);
    expect(passed, output).toBe(true);
  });
});

interface RuleFile {
  readonly groups: Array<{
    readonly rules: Array<{ readonly alert?: string; readonly record?: string; expr: string }>;
  }>;
}

/** The shipped rules of a file with expressions changed. */
function mutated(file: string, change: (expr: string) => string): RuleFiles {
  const content: RuleFile = parse(shipped[file] ?? '');
  for (const rule of content.groups.flatMap(({ rules }) => rules)) rule.expr = change(rule.expr);
  expect(content).not.toEqual(parse(shipped[file] ?? ''));
  return { ...shipped, [file]: stringify(content, { lineWidth: 0, aliasDuplicateObjects: false }) };
}

describe.each(ALERTS)('$name', ({ name }) => {
  /** That alert alone, with another expression. */
  const alone = (expr: string): RuleFiles => {
    const { groups }: RuleFile = parse(shipped[ALERT_RULES] ?? '');
    const rules = groups.flatMap((group) => group.rules).filter(({ alert }) => alert === name);
    const changed = rules.map((rule) => ({ ...rule, expr }));
    return { [ALERT_RULES]: stringify({ groups: [{ name: 'reasoning.alerts', rules: changed }] }) };
  };
  /** The first thing that a case says of it. */
  const first = (ruleCase: RuleCase, fires: boolean): RuleCase => ({
    ...ruleCase,
    checks: ruleCase.checks.filter(({ alert, firing }) => alert === name && firing.length > 0 === fires).slice(0, 1),
  });

  it('is missed where it never fires', async () => {
    const cases = CASES.map((each) => first(each, true)).filter(({ checks }) => checks.length > 0);
    const [ruleCase] = cases;
    expect(ruleCase).toBeDefined();
    expect((await test(alone('vector(1) > 2'), ruleCase ?? PERFECT_DAY)).passed).toBe(false);
  });

  it('is noticed where it always fires', async () => {
    expect((await test(alone('vector(1)'), first(PERFECT_DAY, false))).passed).toBe(false);
  });
});

/** What a well-meant change would break, and the case that says so. */
const MUTATIONS: ReadonlyArray<readonly [what: string, caseName: string, file: string, from: RegExp, to: string]> = [
  [
    'births are not counted',
    'lives for a second',
    RULES,
    /\(last_over_time\(.+?\]\) unless .+?\]( offset \w+)?\)\) or /g,
    '',
  ],
  ['silence counts as death', 'telemetry is missing', RULES, /\[1h\] offset (\w+)/g, '[1m] offset $1'],
  ['the stripped arm counts', 'in the arm stripped', RULES, /reasoning_experiment_arm!~"[^"]*"/g, ''],
  ['only one stripped arm is known', 'in the arm stripped_2', RULES, /stripped\(_2\)\?/g, 'stripped'],
  [
    'planned losses alert',
    'losses by plan',
    RULES,
    /reasoning_blocks_dropped_total\{/g,
    '{__name__=~"reasoning_blocks_(dropped|released)_total", ',
  ],
  ['few blocks page', 'half of the blocks', ALERT_RULES, /> 50$/gm, '> 0'],
  ['what is over still pages', 'half of the blocks', ALERT_RULES, /^and reasoning:drop_ratio:ratio5m > \S+$/gm, ''],
  ['the usual alerts', 'always changes providers', ALERT_RULES, /\nunless on \(job\).+/g, ''],
  ['the first day is silent', 'first day', ALERT_RULES, /\nunless on \(job\) (.+) <= /g, '\nand on (job) $1 > '],
  ['one process hides another', 'one process of two', ALERT_RULES, /unless on \(job, instance\)/g, 'unless on (job)'],
  ['embeddings count as calls', 'one process of two', ALERT_RULES, /, gen_ai_operation_name=~"[^"]*"/g, ''],
];

describe('a mutated rule turns its case red', () => {
  it.each(MUTATIONS)('%s', async (_what, caseName, file, from, to) => {
    const rules = mutated(file, (expr) => expr.replaceAll(from, to).replaceAll('{, ', '{'));
    const { passed, output } = await test(rules, named(caseName));
    expect(passed, output).toBe(false);
    // Red because of what it says, not because it cannot be read.
    expect(output).toContain('exp:');
  });
});
