import type { StreamEvent } from './exchange.ts';

/**
 * The framing of `application/vnd.amazon.eventstream`, which Bedrock's invoke-with-response-stream answers in:
 * total length, header length, checksum of both, headers, payload, checksum of all; big-endian, CRC-32.
 * https://smithy.io/2.0/aws/amazon-eventstream.html
 */
export function awsFrame({ event, data }: StreamEvent): Buffer {
  if (event === 'error') return awsException(data);
  const bytes = Buffer.from(JSON.stringify(data)).toString('base64');
  return message(
    { ':event-type': 'chunk', ':content-type': 'application/json', ':message-type': 'event' },
    JSON.stringify({ bytes }),
  );
}

/** A chunk whose inner payload is not JSON. The frame itself is sound. */
export function malformedAwsFrame({ data }: StreamEvent): Buffer {
  const json = JSON.stringify(data);
  const bytes = Buffer.from(json.slice(0, Math.ceil(json.length / 2))).toString('base64');
  return message(
    { ':event-type': 'chunk', ':content-type': 'application/json', ':message-type': 'event' },
    JSON.stringify({ bytes }),
  );
}

/** An event under its own name, as ConverseStream answers; one that is named an exception is one. */
export function awsEventFrame({ event, data }: StreamEvent): Buffer {
  return eventMessage(event, JSON.stringify(data));
}

/** An event whose payload is not JSON. The frame itself is sound. */
export function malformedAwsEventFrame({ event, data }: StreamEvent): Buffer {
  const json = JSON.stringify(data);
  return eventMessage(event, json.slice(0, Math.ceil(json.length / 2)));
}

function eventMessage(name: string, payload: string): Buffer {
  const kind = name.endsWith('Exception') ? 'exception' : 'event';
  return message({ [`:${kind}-type`]: name, ':content-type': 'application/json', ':message-type': kind }, payload);
}

const EXCEPTION_OF: Readonly<Record<string, string>> = {
  invalid_request_error: 'validationException',
  rate_limit_error: 'throttlingException',
  overloaded_error: 'serviceUnavailableException',
  timeout_error: 'modelTimeoutException',
};

function awsException(data: Readonly<Record<string, unknown>>): Buffer {
  const error = data.error;
  const { type, message: text } =
    typeof error === 'object' && error !== null ? (error as Record<string, unknown>) : { type: '', message: '' };
  return message(
    {
      ':exception-type': EXCEPTION_OF[String(type)] ?? 'internalServerException',
      ':content-type': 'application/json',
      ':message-type': 'exception',
    },
    JSON.stringify({ message: String(text) }),
  );
}

const STRING_HEADER = 7;

function message(headers: Readonly<Record<string, string>>, payload: string): Buffer {
  const encoded = Buffer.concat(
    Object.entries(headers).map(([name, value]) => {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(Buffer.byteLength(value));
      return Buffer.concat([
        Buffer.from([Buffer.byteLength(name)]),
        Buffer.from(name),
        Buffer.from([STRING_HEADER]),
        length,
        Buffer.from(value),
      ]);
    }),
  );
  const body = Buffer.from(payload);
  const prelude = Buffer.alloc(12);
  prelude.writeUInt32BE(16 + encoded.length + body.length, 0);
  prelude.writeUInt32BE(encoded.length, 4);
  prelude.writeUInt32BE(crc32(prelude.subarray(0, 8)), 8);
  const whole = Buffer.concat([prelude, encoded, body]);
  const trailer = Buffer.alloc(4);
  trailer.writeUInt32BE(crc32(whole));
  return Buffer.concat([whole, trailer]);
}

// node:zlib has crc32 only from 20.15 on.
const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value >>> 0;
});

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (CRC_TABLE[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}
