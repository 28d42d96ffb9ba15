import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { outputs } from '../../dashboards/generator/outputs.ts';
import { DEFAULTS, readSettings } from '../../dashboards/generator/settings.ts';
import { readDashboards } from './support/board-json.ts';

test.each([...outputs(DEFAULTS)])('%s is as it would be generated', (file, text) => {
  // Not toEqual: a difference of thirty kilobytes tells nobody anything. `npm run dashboards` mends it.
  expect(readDashboards(file) === text).toBe(true);
});

const run = (...args: readonly string[]) =>
  spawnSync(process.execPath, ['scripts/generate-dashboards.ts', ...args], {
    cwd: new URL('../../', import.meta.url),
    encoding: 'utf8',
  });

test('a team generates its own', () => {
  const out = mkdtempSync(join(tmpdir(), 'reasoning-boards-'));
  onTestFinished(() => rmSync(out, { recursive: true, force: true }));
  const { status, stderr } = run(
    ...['--out', out, '--runbook-url', 'https://wiki.example/{page}', '--grafana-url', 'https://grafana.example/'],
    ...['--objective', '0.995', '--severity', 'ReasoningBlocksDropped=info', '--label', 'team=agents'],
  );
  expect([status, stderr]).toEqual([0, '']);
  const [dropped, fast] = parse(readFileSync(join(out, 'rules/reasoning.alerts.yaml'), 'utf8')).groups[0].rules;
  expect(dropped.labels).toEqual({ severity: 'info', team: 'agents' });
  expect(dropped.annotations.runbook_url).toBe('https://wiki.example/reasoning-blocks-dropped');
  expect(dropped.annotations.dashboard_url).toMatch(/^https:\/\/grafana\.example\/d\/reasoning-continuity\?/);
  // 14.4 times half a percent.
  expect(fast.expr).toContain('> 0.072');
  expect(fast.labels).toEqual({ severity: 'critical', team: 'agents' });
  // What is committed stays.
  expect(readDashboards('rules/reasoning.alerts.yaml')).toBe(outputs(DEFAULTS).get('rules/reasoning.alerts.yaml'));
});

test.each([
  [['--severity', 'ReasoningNothing=info'], '--severity ReasoningNothing: there is no such alert'],
  [['--severity', 'A=loud'], '--severity A=loud: expected one of critical, warning, info'],
  [['--label', 'team'], '--label team: expected NAME=VALUE'],
  [['--objective', '99'], '--objective 99: expected a share between 0 and 1'],
  [['--nothing'], "Unknown option '--nothing'"],
])('%j is refused in one line', (args, line) => {
  expect(() => readSettings(args, ['A'])).toThrow(line);
});

test('a refusal ends the command', () => {
  const { status, stderr } = run('--objective', 'all');
  expect([status, stderr]).toEqual([2, '--objective all: expected a share between 0 and 1\n']);
});
