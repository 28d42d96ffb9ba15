import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { awsFrame, malformedAwsFrame } from './aws-event-stream.ts';
import type { Delivery, StreamPlace } from './delivery.ts';
import type { Reply, StreamEvent } from './exchange.ts';
import { malformedSseFrame, sseFrame } from './sse.ts';

const CONTENT_TYPES = { sse: 'text/event-stream; charset=utf-8', aws: 'application/vnd.amazon.eventstream' } as const;
const FRAMES = { sse: sseFrame, aws: awsFrame } as const;
const MALFORMED = { sse: malformedSseFrame, aws: malformedAwsFrame } as const;

/** Writes a reply, going wrong where its delivery says so. Resolves when nothing more will be written. */
export async function send(response: ServerResponse, reply: Reply, now: () => number): Promise<void> {
  const delivery = reply.delivery;
  if (delivery?.kind === 'late') await wait(delivery.ms);
  if (delivery?.kind === 'cut' && delivery.beforeHeaders) {
    response.destroy();
    return;
  }
  response.sendDate = false;
  const headers = { date: new Date(now()).toUTCString(), ...reply.headers };
  if (reply.kind === 'stream') {
    response.writeHead(reply.status, {
      ...headers,
      'content-type': CONTENT_TYPES[reply.framing],
      'cache-control': 'no-cache',
    });
    await sendEvents(response, reply.events, reply.framing, delivery);
    return;
  }
  const body = Buffer.from(reply.kind === 'json' ? JSON.stringify(reply.body) : reply.body);
  response.writeHead(reply.status, {
    ...headers,
    'content-type': reply.kind === 'json' ? 'application/json' : reply.contentType,
    'content-length': body.length,
  });
  if (delivery?.kind === 'cut') {
    await write(response, body.subarray(0, Math.ceil(body.length / 2)));
    response.destroy();
    return;
  }
  await writePaced(response, body, delivery);
  response.end();
}

async function sendEvents(
  response: ServerResponse,
  events: readonly StreamEvent[],
  framing: 'sse' | 'aws',
  delivery: Delivery | undefined,
): Promise<void> {
  const at = delivery && faultPlace(delivery);
  const place = at === undefined ? -1 : placeOf(events, at);
  for (const [index, event] of events.entries()) {
    if (response.destroyed) return;
    if (index === place && (await goWrong(response, event, framing, delivery))) return;
    if (index === place && delivery?.kind === 'malformed') continue;
    await writePaced(response, FRAMES[framing](event), delivery);
  }
  if (place === events.length && (await goWrong(response, undefined, framing, delivery))) return;
  response.end();
}

function faultPlace(delivery: Delivery): StreamPlace | undefined {
  if (delivery.kind === 'cut') return delivery.at ?? { event: 'message_stop' };
  return delivery.kind === 'error_event' || delivery.kind === 'malformed' ? delivery.at : undefined;
}

/** Writes the fault; true when the stream is over. */
async function goWrong(
  response: ServerResponse,
  event: StreamEvent | undefined,
  framing: 'sse' | 'aws',
  delivery: Delivery | undefined,
): Promise<boolean> {
  if (delivery?.kind === 'malformed') {
    if (event) await write(response, MALFORMED[framing](event));
    return false;
  }
  if (delivery?.kind === 'error_event') {
    const error = { type: 'error', error: { type: delivery.type, message: delivery.message } };
    await write(response, FRAMES[framing]({ event: 'error', data: error }));
    response.end();
    return true;
  }
  if (delivery?.kind === 'cut') {
    // Without a turn of the event loop the peer may see neither the data before the cut nor a clean break.
    await wait(5);
    response.destroy();
    return true;
  }
  return false;
}

/** The index before which the fault strikes; past the end when no event has the name. */
function placeOf(events: readonly StreamEvent[], place: StreamPlace): number {
  let left = place.nth ?? 1;
  for (const [index, event] of events.entries()) {
    const delta = event.data.delta;
    const deltaType = typeof delta === 'object' && delta !== null && 'type' in delta ? delta.type : undefined;
    if (event.event !== place.event && deltaType !== place.event) continue;
    left -= 1;
    if (left === 0) return place.when === 'after' ? index + 1 : index;
  }
  return events.length;
}

async function writePaced(response: ServerResponse, bytes: Buffer, delivery: Delivery | undefined): Promise<void> {
  if (delivery?.kind !== 'slow') return write(response, bytes);
  const size = delivery.bytes ?? bytes.length;
  for (let from = 0; from < bytes.length && !response.destroyed; from += size) {
    await write(response, bytes.subarray(from, from + size));
    await wait(delivery.ms);
  }
}

function write(response: ServerResponse, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    if (response.destroyed) return resolve();
    // The callback also runs when the peer has gone; there is nobody left to tell.
    response.write(bytes, () => resolve());
  });
}
