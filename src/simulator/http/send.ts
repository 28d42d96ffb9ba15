import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { awsEventFrame, awsFrame, malformedAwsEventFrame, malformedAwsFrame } from './aws-event-stream.ts';
import type { Delivery } from './delivery.ts';
import type { EventsBody, Reply, StreamEvent } from './exchange.ts';
import { cutOff, isGone } from './peer.ts';
import { dataFrame, malformedDataFrame, malformedSseFrame, sseFrame } from './sse.ts';
import { anthropicErrorEvent, faultIndex } from './stream-place.ts';

const EVENT_STREAM = 'text/event-stream; charset=utf-8';
const AWS = 'application/vnd.amazon.eventstream';
const CONTENT_TYPES = { sse: EVENT_STREAM, data: EVENT_STREAM, aws: AWS, 'aws-events': AWS } as const;
const FRAMES = { sse: sseFrame, data: dataFrame, aws: awsFrame, 'aws-events': awsEventFrame } as const;
const MALFORMED = {
  sse: malformedSseFrame,
  data: malformedDataFrame,
  aws: malformedAwsFrame,
  'aws-events': malformedAwsEventFrame,
} as const;

/** Writes a reply, going wrong where its delivery says so. Resolves when nothing more will be written. */
export async function send(response: ServerResponse, reply: Reply, now: () => number): Promise<void> {
  const delivery = reply.delivery;
  if (delivery?.kind === 'late') await wait(delivery.ms);
  if (delivery?.kind === 'cut' && delivery.beforeHeaders) {
    cutOff(response);
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
    await sendEvents(response, reply, delivery);
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
    cutOff(response);
    return;
  }
  await writePaced(response, body, delivery);
  response.end();
}

async function sendEvents(response: ServerResponse, body: EventsBody, delivery: Delivery | undefined): Promise<void> {
  const { events, framing } = body;
  const place = faultIndex(events, delivery);
  for (const [index, event] of events.entries()) {
    if (isGone(response)) return;
    if (index === place && (await goWrong(response, event, body, delivery))) return;
    if (index === place && delivery?.kind === 'malformed') continue;
    await writePaced(response, FRAMES[framing](event), delivery);
  }
  if (place === events.length && (await goWrong(response, undefined, body, delivery))) return;
  response.end();
}

/** Writes the fault; true when the stream is over. */
async function goWrong(
  response: ServerResponse,
  event: StreamEvent | undefined,
  { framing, errorEvent = anthropicErrorEvent }: EventsBody,
  delivery: Delivery | undefined,
): Promise<boolean> {
  if (delivery?.kind === 'malformed') {
    if (event) await write(response, MALFORMED[framing](event));
    return false;
  }
  if (delivery?.kind === 'error_event') {
    await write(response, FRAMES[framing](errorEvent(delivery.type, delivery.message)));
    response.end();
    return true;
  }
  if (delivery?.kind === 'cut') {
    // Without a turn of the event loop the peer may see neither the data before the cut nor a clean break.
    await wait(5);
    cutOff(response);
    return true;
  }
  return false;
}

async function writePaced(response: ServerResponse, bytes: Buffer, delivery: Delivery | undefined): Promise<void> {
  if (delivery?.kind !== 'slow') return write(response, bytes);
  const size = delivery.bytes ?? bytes.length;
  for (let from = 0; from < bytes.length && !isGone(response); from += size) {
    await write(response, bytes.subarray(from, from + size));
    await wait(delivery.ms);
  }
}

function write(response: ServerResponse, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    if (isGone(response)) return resolve();
    // The callback also runs when the peer has gone; there is nobody left to tell.
    response.write(bytes, () => resolve());
  });
}
