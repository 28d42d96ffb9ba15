/**
 * An agent as users have them: it knows nothing of reasoning-otel. Runs loops of a fixed number of steps, one after the
 * other, each under a span of its own; with `runs`, each also bracketed as one. AGENT holds what to do, as JSON.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import Anthropic from '@anthropic-ai/sdk';
import { context, propagation, ROOT_CONTEXT, trace } from '@opentelemetry/api';
import OpenAI from 'openai';

const { loops, pauseMs = 0, attributes = {}, runs = false } = JSON.parse(process.env.AGENT);
const { withRun } = runs ? await import('reasoning-otel') : { withRun: (_, run) => run() };
const tracer = trace.getTracer('agent');
/** Started by another process, in the middle of its trace. */
const parent = propagation.extract(ROOT_CONTEXT, { traceparent: process.env.TRACEPARENT ?? '' });

const anthropic = new Anthropic({ maxRetries: 0 });
const openai = new OpenAI({ maxRetries: 0 });

const isThinking = ({ type }) => type === 'thinking' || type === 'redacted_thinking';
const HARNESSES = {
  sound: (content) => content,
  stripped: (content) => content.filter((block) => !isThinking(block)),
  // What a store does that does not know signatures: the provider refuses the next request.
  unsealed: (content) => content.map(({ signature: _, ...block }) => block),
};

async function messagesLoop(harness) {
  const messages = [{ role: 'user', content: 'Look it up.' }];
  for (;;) {
    const response = await anthropic.messages.create({
      model: 'claude-sonnet-5-5',
      max_tokens: 4000,
      thinking: { type: 'adaptive' },
      tools: [{ name: 'look_up', description: 'Looks up.', input_schema: { type: 'object', properties: {} } }],
      messages,
    });
    const calls = response.content.filter(({ type }) => type === 'tool_use');
    if (calls.length === 0) return;
    await sleep(pauseMs);
    messages.push({ role: 'assistant', content: harness(response.content) });
    messages.push({
      role: 'user',
      content: calls.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: 'found' })),
    });
  }
}

async function responsesLoop() {
  const input = [{ role: 'user', content: 'Look it up.' }];
  for (;;) {
    const response = await openai.responses.create({
      model: 'gpt-6.2-sol',
      store: false,
      tools: [{ type: 'function', name: 'look_up', parameters: { type: 'object', properties: {} }, strict: false }],
      input,
    });
    const calls = response.output.filter(({ type }) => type === 'function_call');
    if (calls.length === 0) return;
    await sleep(pauseMs);
    for (const { call_id, name, arguments: args } of calls) {
      input.push({ type: 'function_call', call_id, name, arguments: args });
      input.push({ type: 'function_call_output', call_id, output: 'found' });
    }
  }
}

for (const loop of loops) {
  const span = tracer.startSpan('agent run', { attributes }, parent);
  if (Object.keys(attributes).length > 0) span.addEvent('note', attributes);
  await context.with(trace.setSpan(parent, span), async () => {
    try {
      await withRun({ name: 'look up' }, () =>
        loop === 'responses' ? responsesLoop() : messagesLoop(HARNESSES[loop]),
      );
    } catch (error) {
      // A provider that refuses is part of what is measured; anything else ends the process.
      if (!(error instanceof Anthropic.BadRequestError)) throw error;
    }
  });
  span.end();
}
