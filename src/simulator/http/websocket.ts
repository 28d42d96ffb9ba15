import { createHash } from 'node:crypto';
import type { Duplex } from 'node:stream';
import type { ServerSocket } from './exchange.ts';

/** Fixed by RFC 6455, section 1.3. */
const HANDSHAKE_SUFFIX = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const OPCODE = { continuation: 0, text: 1, close: 8, ping: 9, pong: 10 } as const;

/**
 * Accepts a WebSocket and reads its text messages: the server's half of RFC 6455 without extensions and binary
 * messages. Written out here so that the published package needs no WebSocket library.
 */
export function acceptWebSocket(
  stream: Duplex,
  key: string,
  head: Buffer,
  onText: (text: string, socket: ServerSocket) => void,
): ServerSocket {
  const accept = createHash('sha1').update(key).update(HANDSHAKE_SUFFIX).digest('base64');
  stream.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  );
  let open = true;
  const end = (): void => {
    open = false;
    stream.end();
  };
  const socket: ServerSocket = {
    get isOpen() {
      return open && !stream.destroyed;
    },
    send(text) {
      if (socket.isOpen) stream.write(frame(OPCODE.text, Buffer.from(text)));
    },
    close(code, reason) {
      if (!socket.isOpen) return;
      const payload = Buffer.alloc(2);
      payload.writeUInt16BE(code);
      stream.write(frame(OPCODE.close, Buffer.concat([payload, Buffer.from(reason)])));
      end();
    },
    destroy() {
      open = false;
      stream.destroy();
    },
  };
  // The peer may go away at any time; there is nobody left to tell.
  stream.on('error', () => socket.destroy());
  stream.on('end', end);

  let pending = head;
  let message: Buffer[] = [];
  const read = (): void => {
    for (let next = readFrame(pending); next && socket.isOpen; next = readFrame(pending)) {
      pending = pending.subarray(next.length);
      const { opcode, payload, final } = next;
      if (opcode === OPCODE.ping) stream.write(frame(OPCODE.pong, payload));
      else if (opcode === OPCODE.close) {
        stream.write(frame(OPCODE.close, payload));
        end();
      } else if (opcode === OPCODE.text || opcode === OPCODE.continuation) {
        message.push(payload);
        if (!final) continue;
        const text = Buffer.concat(message).toString('utf8');
        message = [];
        onText(text, socket);
      } else if (opcode !== OPCODE.pong) socket.close(1003, 'text messages only');
    }
  };
  stream.on('data', (chunk: Buffer) => {
    pending = Buffer.concat([pending, chunk]);
    read();
  });
  read();
  return socket;
}

function frame(opcode: number, payload: Buffer): Buffer {
  const { length } = payload;
  const head = Buffer.alloc(length < 126 ? 2 : length < 0x10000 ? 4 : 10);
  head[0] = 0x80 | opcode;
  if (length < 126) head[1] = length;
  else if (length < 0x10000) {
    head[1] = 126;
    head.writeUInt16BE(length, 2);
  } else {
    head[1] = 127;
    head.writeBigUInt64BE(BigInt(length), 2);
  }
  return Buffer.concat([head, payload]);
}

interface Frame {
  readonly final: boolean;
  readonly opcode: number;
  readonly payload: Buffer;
  /** Bytes that it took. */
  readonly length: number;
}

/** The first frame, once all of it has arrived. Frames of clients are masked. */
function readFrame(bytes: Buffer): Frame | undefined {
  if (bytes.length < 2) return undefined;
  const [first = 0, second = 0] = bytes;
  const short = second & 0x7f;
  const extra = short === 127 ? 8 : short === 126 ? 2 : 0;
  const masked = (second & 0x80) !== 0;
  const start = 2 + extra + (masked ? 4 : 0);
  if (bytes.length < start) return undefined;
  const size = extra === 8 ? Number(bytes.readBigUInt64BE(2)) : extra === 2 ? bytes.readUInt16BE(2) : short;
  if (bytes.length < start + size) return undefined;
  const payload = Buffer.from(bytes.subarray(start, start + size));
  if (masked) {
    const mask = bytes.subarray(start - 4, start);
    for (let index = 0; index < payload.length; index++)
      payload[index] = (payload[index] ?? 0) ^ (mask[index % 4] ?? 0);
  }
  return { final: (first & 0x80) !== 0, opcode: first & 0x0f, payload, length: start + size };
}
