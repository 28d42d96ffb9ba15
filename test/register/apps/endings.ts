// The same in TypeScript, whose types Node strips.
import Anthropic from '@anthropic-ai/sdk';
import { endBy } from './end-by.cjs';

const client: Anthropic = new Anthropic({ apiKey: 'key', baseURL: process.env.MODEL_URL, maxRetries: 0 });
const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'Lisbon' }];
const { stop_reason } = await client.messages.create({ model: 'claude-opus-4-8', max_tokens: 1000, messages });
console.log(stop_reason);
endBy(process.argv[2] ?? 'nothing');
