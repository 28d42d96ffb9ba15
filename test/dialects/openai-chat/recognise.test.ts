import { describe, expect, it } from 'vitest';
import { resolveModel } from '../../../src/dialects/openai-chat/models.ts';
import { recognise } from '../../../src/dialects/openai-chat/recognise.ts';

/** Who a request goes to: by configuration, then host, then what the answers look like, then the model's name. */

const of = (endpoint: string | undefined, requestModel: string, signature?: string, provider?: string, hosts = {}) => {
  const { profile, known } = recognise(
    { endpoint, provider, requestModel, model: resolveModel(requestModel) },
    hosts,
    signature,
  );
  return known ? profile.name : `${profile.name}?`;
};

describe('by host', () => {
  it.each([
    ['api.openai.com', 'openai'],
    ['corp.openai.azure.com', 'azure'],
    ['corp.services.ai.azure.com', 'azure'],
    ['api.deepseek.com', 'deepseek'],
    ['api.moonshot.cn', 'kimi'],
    ['api.z.ai', 'glm'],
    ['open.bigmodel.cn/api/coding/paas/v4', 'glm_coding'],
    ['api.minimaxi.com', 'minimax'],
    ['dashscope-intl.aliyuncs.com', 'qwen'],
    ['api.x.ai', 'xai'],
    ['openrouter.ai', 'openrouter'],
    ['ai-gateway.vercel.sh', 'vercel'],
    ['generativelanguage.googleapis.com', 'gemini'],
    ['us-central1-aiplatform.googleapis.com', 'gemini'],
    ['api.mistral.ai', 'mistral'],
    ['api.groq.com', 'groq'],
    ['api.cerebras.ai', 'cerebras'],
    ['api.together.xyz', 'together'],
    ['api.fireworks.ai', 'fireworks'],
    ['api.novita.ai', 'novita'],
    ['api.githubcopilot.com', 'copilot'],
    ['litellm.corp:4000', 'litellm'],
    ['vllm-mistral.corp', 'vllm'],
    ['127.0.0.1:8000', 'self_hosted'],
    ['localhost:11434', 'self_hosted'],
  ])('%s: %s', (endpoint, name) => expect(of(endpoint, 'house-7')).toBe(name));

  it('the host outranks the name of the model', () => expect(of('api.groq.com', 'deepseek-v4-pro')).toBe('groq'));
  it('and what the answers look like', () => expect(of('api.groq.com', 'house-7', 'minimax')).toBe('groq'));
  it('configuration outranks it', () =>
    expect(of('api.groq.com', 'house-7', undefined, undefined, { groq: 'vllm' })).toBe('vllm'));
  it('the class of the client, where there is no host', () =>
    expect(of(undefined, 'my-deployment', undefined, 'azure.ai.openai')).toBe('azure'));
  it('every client is one of openai', () => expect(of(undefined, 'kimi-k3', undefined, 'openai')).toBe('kimi'));
});

describe('where the host is not known', () => {
  it.each([
    [undefined, 'deepseek-reasoner', 'deepseek'],
    ['models.corp', 'Kimi-K2.5', 'kimi'],
    [undefined, 'glm-4.7', 'glm'],
    [undefined, 'MiniMax-M2', 'minimax'],
    [undefined, 'qwen3.6-plus', 'qwen'],
    [undefined, 'grok-4.7', 'xai'],
    [undefined, 'gemini-3-pro', 'gemini'],
    [undefined, 'magistral-medium', 'mistral'],
    [undefined, 'mimo-v2.5', 'mimo'],
    [undefined, 'gpt-5.5', 'openai'],
    [undefined, 'anthropic/claude-sonnet-4.5', 'openrouter'],
    [undefined, 'google/gemini-3-flash', 'openrouter'],
    [undefined, 'claude-sonnet-4-5', 'gateway'],
    ['models.corp', 'house-7', 'other?'],
  ])('%s, %s: %s', (endpoint, model, name) => expect(of(endpoint, model)).toBe(name));

  it('what the answers look like outranks the name', () =>
    expect(of('models.corp', 'deepseek-v4', 'openrouter')).toBe('openrouter'));
  it('and says what stands on a machine of one’s own', () =>
    expect(of('10.0.0.5:8000', 'house-7', 'mistral')).toBe('mistral'));
});

describe('by the path of the base URL', () => {
  it.each([
    ['api.z.ai', '/api/coding/paas/v4', 'glm_coding'],
    ['api.z.ai', '/api/paas/v4', 'glm'],
    ['open.bigmodel.cn', '/api/coding/paas/v4', 'glm_coding'],
    ['api.z.ai', undefined, 'glm'],
    // Nothing but the Coding Plan's is known by it.
    ['gateway.corp', '/api/coding/glm', 'glm'],
    ['api.deepseek.com', '/coding/v1', 'deepseek'],
  ])('%s %s is %s', (endpoint, path, expected) => {
    const target = { endpoint, path, provider: undefined, requestModel: 'glm-5.1', model: resolveModel('glm-5.1') };
    expect(recognise(target, {}, undefined).profile.name).toBe(expected);
  });
});
