import { fileURLToPath } from 'node:url';
import { DiagLogLevel, diag } from '@opentelemetry/api';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { processContext } from '../../src/context.ts';
import { errorType } from '../../src/observe/error-type.ts';
import { guard, guarded, guardFailures } from '../../src/observe/guard.ts';
import { startStopwatch } from '../../src/observe/stopwatch.ts';
import { targetOf } from '../../src/observe/target.ts';

class APIConnectionError extends Error {}

test.each([
  [{ type: 'overloaded_error', status: 529 }, undefined, 'overloaded_error'],
  [{ status: 529 }, undefined, '529'],
  // A type that is a sentence is none.
  [{ type: 'it went wrong', status: 500 }, undefined, '500'],
  [undefined, new APIConnectionError('x'), 'APIConnectionError'],
  [undefined, new TypeError('x'), 'TypeError'],
  [undefined, Object.assign(new Error('x'), { name: 'TimeoutError' }), 'TimeoutError'],
  [undefined, 'thrown text', '_OTHER'],
  [undefined, undefined, '_OTHER'],
])('error.type of %o, %o', (error, cause, type) => {
  expect(errorType(error, cause)).toBe(type);
});

test.each([
  ['https://api.anthropic.com', { address: 'api.anthropic.com', port: 443, path: '/' }],
  ['http://localhost', { address: 'localhost', port: 80, path: '/', endpoint: 'localhost' }],
  ['https://a.example:8443/v1', { address: 'a.example', port: 8443, path: '/v1', endpoint: 'a.example:8443' }],
  ['http://[::1]:4010', { address: '[::1]', port: 4010, path: '/', endpoint: '[::1]:4010' }],
  // The vendor's host behind another port is somebody else's.
  [
    'https://api.anthropic.com:444',
    { address: 'api.anthropic.com', port: 444, path: '/', endpoint: 'api.anthropic.com:444' },
  ],
  [
    'https://me:secret@a.example/v1?key=secret',
    { address: 'a.example', port: 443, path: '/v1', endpoint: 'a.example' },
  ],
  ['data:text/plain,x', undefined],
  ['', undefined],
])('target of %s', (baseURL, target) => {
  expect(targetOf('anthropic.messages', baseURL)).toEqual(target);
});

test('a stopwatch: first chunk, gaps between chunks, last thing seen', () => {
  let time = 1000;
  const at = (next: number) => {
    time = next;
    return watch;
  };
  const watch = startStopwatch(() => time);
  expect(watch.timeToFirstChunk).toBeUndefined();
  at(1100).seen();
  at(1500).chunk();
  at(1600).seen();
  at(1750).chunk();
  at(3000);
  expect(watch.timeToFirstChunk).toBe(0.5);
  expect(watch.gaps).toEqual([0.25]);
  expect(watch.lastSeen()).toBe(0.75);
  expect(watch.elapsed()).toBe(2);
  for (let chunk = 0; chunk < 3000; chunk += 1) watch.chunk();
  expect(watch.gaps.length).toBe(2000);
});

describe('the guard', () => {
  afterEach(() => diag.disable());

  test('says a failure once a site, counts each, and shows no message', () => {
    const said: string[] = [];
    const say = (text: string) => void said.push(text);
    diag.setLogger({ verbose: say, debug: say, info: say, warn: say, error: say }, DiagLogLevel.ALL);
    said.length = 0;
    const parse = guarded('parsing a thing', (text: string): unknown => JSON.parse(text));
    expect(parse('{"a":1}')).toEqual({ a: 1 });
    for (let turn = 0; turn < 3; turn += 1) expect(parse('MARKER')).toBeUndefined();
    guard('another site', () => {
      throw 'MARKER';
    });
    expect(said).toHaveLength(2);
    expect(said[0]).toMatch(/^reasoning-otel: parsing a thing failed and was skipped.*SyntaxError at /);
    expect(said.join()).not.toContain('MARKER');
    expect(guardFailures().get('parsing a thing')).toBe(3);
  });

  test('outlives a logger that throws', () => {
    const fail = () => {
      throw new Error('logger');
    };
    const quiet = () => {};
    diag.setLogger({ verbose: quiet, debug: quiet, info: quiet, warn: fail, error: quiet }, DiagLogLevel.ALL);
    expect(guard('a third site', fail)).toBeUndefined();
  });
});

describe('the process context', () => {
  test('is one for two copies of this package', async () => {
    vi.resetModules();
    const other: typeof import('../../src/context.ts') = await import(
      fileURLToPath(new URL('../../src/context.ts', import.meta.url))
    );
    expect(other.processContext).not.toBe(processContext);
    expect(other.processContext()).toBe(processContext());
    processContext().run.run({ runId: 'r-7' }, () => {
      expect(other.processContext().run.getStore()?.runId).toBe('r-7');
    });
  });

  test('does not show among the globals', () => {
    processContext();
    expect(Object.keys(globalThis).filter((key) => key.includes('reasoning'))).toEqual([]);
    expect(Object.getOwnPropertyDescriptor(globalThis, Symbol.for('reasoning-otel/1'))?.enumerable).toBe(false);
  });
});
