// Begins anew when there is nothing left to do, twice.
import Anthropic from '@anthropic-ai/sdk';

const client = new Anthropic({ apiKey: 'key', baseURL: process.env.MODEL_URL, maxRetries: 0 });
let left = 3;
async function work() {
  if (left === 0) return;
  left -= 1;
  await client.messages.create({
    model: 'claude-opus-4-8',
    max_tokens: 1000,
    messages: [{ role: 'user', content: 'Lisbon' }],
  });
}
process.on('beforeExit', work);
