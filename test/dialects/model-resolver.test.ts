import { expect, test } from 'vitest';
import { createModelResolver } from '../../src/dialects/model-resolver.ts';

function setUp() {
  const asked: string[] = [];
  const resolve = createModelResolver((model, extra: Readonly<Record<string, number>>) => {
    asked.push(model);
    return { model, row: extra[model] };
  });
  return { asked, resolve };
}

test('an id is resolved once for each set of rows', () => {
  const { asked, resolve } = setUp();
  const rows = { a: 1 };
  expect(resolve('a')).toBe(resolve('a'));
  expect(resolve('a', rows)).toBe(resolve('a', rows));
  expect(resolve('a').row).toBeUndefined();
  expect(resolve('a', rows).row).toBe(1);
  expect(asked).toEqual(['a', 'a']);
});

test('ids past the limit are resolved, and not remembered', () => {
  const { asked, resolve } = setUp();
  for (let at = 0; at < 501; at++) resolve(`model-${at}`);
  asked.length = 0;
  resolve('model-0');
  resolve('model-499');
  expect(asked).toEqual([]);
  expect(resolve('model-500').model).toBe('model-500');
  expect(asked).toEqual(['model-500']);
});
