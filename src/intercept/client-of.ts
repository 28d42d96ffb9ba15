import { isObject } from './shapes.ts';

type Fields = Record<PropertyKey, unknown>;

/**
 * The client behind a resource. Of `@google/genai` it is the one object that all parts of a `GoogleGenAI` share, and that
 * its interactions know under another name, or behind a client of their own.
 */
export function clientOf(resource: unknown): Fields | undefined {
  if (!isObject(resource)) return undefined;
  // Clients of AWS have no resources.
  if (isObject(resource.middlewareStack)) return resource;
  const { _client } = resource;
  if (isObject(_client)) return isObject(_client.clientAdapter) ? _client.clientAdapter : _client;
  return [resource.apiClient, resource.parentClient].find(isObject);
}
