import { describe, expect, test } from 'vitest';
import { BOARDS } from '../../dashboards/generator/boards/index.ts';
import { type BoardJson, readBoard } from './support/board-json.ts';
import { lintBoard, RULES } from './support/lint-board.ts';

describe.each(Object.keys(BOARDS))('%s', (file) => {
  test('meets every rule', () => expect(lintBoard(readBoard(file))).toEqual([]));
});

/** A change to a sound board, and the rule that must see it. */
const SPOILT: ReadonlyArray<readonly [rule: string, spoil: (text: string) => string]> = [
  ['template-datasource-rule', (text) => text.replace('"label": "Data source"', '"label": "Source"')],
  ['template-job-rule', (text) => text.replace('"name": "job"', '"name": "service"')],
  ['template-instance-rule', (text) => text.replace(/("name": "instance"[\s\S]*?"allValue": )"\.\+"/, '$1".*"')],
  ['template-label-promql-rule', (text) => text.replace('label_values(', 'label_value(')],
  ['template-on-time-change-reload-rule', (text) => text.replace('"refresh": 2', '"refresh": 1')],
  ['panel-datasource-rule', (text) => text.replace(/("gridPos"[\s\S]*?)"uid": "\$\{datasource\}"/, '$1"uid": "abc"')],
  ['panel-title-description-rule', (text) => text.replace(/("id": 2,[\s\S]*?"description": )"[^"]*"/, '$1""')],
  ['panel-units-rule', (text) => text.replace('"unit": "percentunit"', '"unit": "{block}"')],
  ['panel-no-targets-rule', (text) => text.replace(/"targets": \[[\s\S]*?\n {6}\]/, '"targets": []')],
  ['target-promql-rule', (text) => text.replace('sum(increase(', 'sum(increase((')],
  ['target-rate-interval-rule', (text) => text.replace('[$__rate_interval]', '[5m]')],
  ['target-job-rule', (text) => text.replaceAll('{job=~\\"$job\\", instance', '{instance')],
  ['target-instance-rule', (text) => text.replaceAll('instance=~\\"$instance\\", gen', 'gen')],
  [
    'target-counter-agg-rule',
    (text) => text.replace(/increase\((reasoning_calls_total\{[^}]*\})\[\$__range\]\)/, '$1'),
  ],
  ['uneditable-dashboard', (text) => text.replace('"editable": false', '"editable": true')],
  ['classic-model', (text) => text.replace('"schemaVersion"', '"apiVersion"')],
  ['stable-ids', (text) => text.replace('"id": 3,', '"id": 4,')],
  ['ref-ids', (text) => text.replaceAll('"refId": "B"', '"refId": "A"')],
  ['legends', (text) => text.replace('"showLegend": true', '"showLegend": false')],
  ['title-fits', (text) => text.replace('"title": "Continuity"', '"title": "How much of it comes back"')],
  ['within-the-grid', (text) => text.replace('"x": 20,', '"x": 22,')],
  ['no-overlap', (text) => text.replace('"x": 4,', '"x": 3,')],
];

test('a change for each rule', () => expect(SPOILT.map(([rule]) => rule)).toEqual(Object.keys(RULES)));

test.each(SPOILT)('%s sees its fault', (rule, spoil) => {
  const sound = JSON.stringify(readBoard('continuity-overview'), null, 2);
  const spoilt = spoil(sound);
  expect(spoilt).not.toBe(sound);
  const board: BoardJson = JSON.parse(spoilt);
  expect(lintBoard(board).filter((problem) => problem.startsWith(`${rule}: `))).not.toEqual([]);
});
