import type { StreamEvent } from './exchange.ts';

export function sseFrame({ event, data }: StreamEvent): Buffer {
  return Buffer.from(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
}

/** The frame with its JSON broken off in the middle. */
export function malformedSseFrame({ event, data }: StreamEvent): Buffer {
  const json = JSON.stringify(data);
  return Buffer.from(`event: ${event}\ndata: ${json.slice(0, Math.ceil(json.length / 2))}\n\n`);
}

/** The event whose frame is the word that ends a stream of bare data. */
export const DONE: StreamEvent = { event: 'done', data: {} };

/** Without an event name, as Chat Completions streams. */
export function dataFrame(event: StreamEvent): Buffer {
  return Buffer.from(event === DONE ? 'data: [DONE]\n\n' : `data: ${JSON.stringify(event.data)}\n\n`);
}

export function malformedDataFrame({ data }: StreamEvent): Buffer {
  const json = JSON.stringify(data);
  return Buffer.from(`data: ${json.slice(0, Math.ceil(json.length / 2))}\n\n`);
}
