import type { StreamEvent } from './exchange.ts';

export function sseFrame({ event, data }: StreamEvent): Buffer {
  return Buffer.from(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
}

/** The frame with its JSON broken off in the middle. */
export function malformedSseFrame({ event, data }: StreamEvent): Buffer {
  const json = JSON.stringify(data);
  return Buffer.from(`event: ${event}\ndata: ${json.slice(0, Math.ceil(json.length / 2))}\n\n`);
}
