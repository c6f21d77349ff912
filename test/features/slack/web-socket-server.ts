/** The server's side of WebSocket (RFC 6455) as far as a test needs it: text frames and the end. */
import { createHash } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';

export interface ServerSocket {
  readonly send: (text: string) => void;
  readonly close: () => void;
  readonly isOpen: () => boolean;
}

const MAGIC = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

const frameOf = (opcode: number, payload: Buffer): Buffer => {
  const { length } = payload;
  if (length < 126) return Buffer.concat([Buffer.from([0x80 | opcode, length]), payload]);
  const head = Buffer.alloc(length < 65_536 ? 4 : 10);
  head[0] = 0x80 | opcode;
  head[1] = length < 65_536 ? 126 : 127;
  if (length < 65_536) head.writeUInt16BE(length, 2);
  else head.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([head, payload]);
};

/** @returns the frame, and the bytes behind it; undefined if more are to come */
const readFrame = (bytes: Buffer): { opcode: number; payload: Buffer; rest: Buffer } | undefined => {
  if (bytes.length < 2) return undefined;
  const short = (bytes[1] ?? 0) & 0x7f;
  const at = short === 126 ? 4 : short === 127 ? 10 : 2;
  if (bytes.length < at + 4) return undefined;
  const length = short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short;
  const end = at + 4 + length;
  if (bytes.length < end) return undefined;
  const mask = bytes.subarray(at, at + 4);
  const payload = Buffer.from(bytes.subarray(at + 4, end).map((byte, n) => byte ^ (mask[n % 4] ?? 0)));
  return { opcode: (bytes[0] ?? 0) & 0x0f, payload, rest: bytes.subarray(end) };
};

/** @param open called with each new connection; @returns what takes its texts */
export const acceptSockets = (
  server: Server,
  open: (socket: ServerSocket, path: string) => ((text: string) => void) | undefined,
): void => {
  server.on('upgrade', (request: IncomingMessage, stream: Duplex) => {
    const key = createHash('sha1').update(`${request.headers['sec-websocket-key']}${MAGIC}`).digest('base64');
    let isOpen = true;
    const socket: ServerSocket = {
      send: (text) => {
        if (isOpen) stream.write(frameOf(1, Buffer.from(text)));
      },
      close: () => stream.end(frameOf(8, Buffer.alloc(0))),
      isOpen: () => isOpen,
    };
    stream.on('error', () => undefined);
    stream.on('close', () => {
      isOpen = false;
    });
    stream.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${key}\r\n\r\n`,
    );
    const take = open(socket, request.url ?? '');
    if (take === undefined) return void socket.close();
    let left = Buffer.alloc(0);
    stream.on('data', (chunk: Buffer) => {
      left = Buffer.concat([left, chunk]);
      for (let frame = readFrame(left); frame !== undefined; frame = readFrame(left)) {
        left = Buffer.from(frame.rest);
        if (frame.opcode === 1) take(frame.payload.toString('utf8'));
        if (frame.opcode === 8) socket.close();
      }
    });
  });
};
