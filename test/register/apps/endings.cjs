// The same from CommonJS.
const Anthropic = require('@anthropic-ai/sdk');
const { endBy } = require('./end-by.cjs');

const client = new Anthropic({ apiKey: 'key', baseURL: process.env.MODEL_URL, maxRetries: 0 });
const ask = { model: 'claude-opus-4-8', max_tokens: 1000, messages: [{ role: 'user', content: 'Lisbon' }] };
client.messages.create(ask).then(({ stop_reason }) => {
  console.log(stop_reason);
  endBy(process.argv[2] ?? 'nothing');
});
