import { createHash } from 'node:crypto';

/** Steps of the Interactions API, as short builders: a seal is named by one word and always has the same value. */
export type Step = Readonly<Record<string, unknown>>;

export function seal(name: string): string {
  const half = (salt: string) => createHash('sha384').update(`${salt}:${name}`).digest();
  return Buffer.concat([half('first'), half('second')]).toString('base64');
}

/** A thought; summaries are off by default. */
export const th = (name: string, summary?: string): Step => ({
  type: 'thought',
  signature: seal(name),
  ...(summary === undefined ? {} : { summary: [{ type: 'text', text: summary }] }),
});
export const call = (id: string, args: object = { key: id }): Step => ({
  type: 'function_call',
  id,
  name: `fn_${id}`,
  arguments: args,
});
export const result = (id: string, output = `output of ${id}`): Step => ({
  type: 'function_result',
  call_id: id,
  name: `fn_${id}`,
  result: output,
});
export const out = (text: string): Step => ({ type: 'model_output', content: [{ type: 'text', text }] });
export const user = (text: string): Step => ({ type: 'user_input', content: [{ type: 'text', text }] });
/** A search at the provider, call and result, both signed. */
export const search = (name: string): Step[] => [
  { type: 'google_search_call', id: `${name}-id`, arguments: { queries: [name] }, signature: seal(`${name}-call`) },
  { type: 'google_search_result', call_id: `${name}-id`, result: [{ title: name }], signature: seal(`${name}-result`) },
];

export const isNamed = (step: Step, name: string): boolean =>
  step.signature === seal(name) || step.id === name || step.call_id === name || textOf(step) === name;

function textOf({ content }: Step): unknown {
  return Array.isArray(content) ? content[0]?.text : undefined;
}
