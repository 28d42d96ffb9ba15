// One call of the real SDK, then the end that the first argument names.
import Anthropic from '@anthropic-ai/sdk';
import { endBy } from './end-by.cjs';

const client = new Anthropic({ apiKey: 'key', baseURL: process.env.MODEL_URL, maxRetries: 0 });
const { stop_reason } = await client.messages.create({
  model: 'claude-opus-4-8',
  max_tokens: 1000,
  messages: [{ role: 'user', content: 'Lisbon' }],
});
console.log(stop_reason);
endBy(process.argv[2] ?? 'nothing');
