import type { OnReadOpts, Socket } from 'node:net';
import { payloadScan, type PayloadScan } from './payload-scan.js';

/** How a socket reads so that large messages are never put together. */
export interface FramedReads {
  /** An option of `net.connect` and `tls.connect`. */
  readonly onread: OnReadOpts;
  /** Tells where the frames begin: with `head`, what came together with the answer to the handshake. */
  readonly begin: (head: Uint8Array) => void;
}

/**
 * Reads the payload of a large frame straight into a buffer of its own and hands it on as one piece, which `ws` gives out
 * as it is. Read as it comes, in pieces of 64 KiB, each picture was copied once more, and left twice its size to the garbage
 * collector.
 *
 * Everything else is copied out of one buffer that all reads share. Whatever the peer sends, each byte is handed on once and
 * in its order; what a frame is decides only where the pieces end. No payload of more than `maxPayload` gets a buffer.
 */
export const framedReads = (maxPayload: number): FramedReads => {
  const shared = Buffer.allocUnsafeSlow(readBytes);
  let scan: PayloadScan | undefined;
  /** What is being filled; never seen by anybody before it is full. */
  let payload: Buffer | undefined;
  let filled = 0;
  let sinceBreak = 0;

  /** Tells whether to go on reading; what stops in the midst of a payload goes on in the next turn of the event loop. */
  const goesOn = (socket: Socket, bytes: number): boolean => {
    sinceBreak += bytes;
    if (sinceBreak < mostInTurn || payload === undefined) return true;
    sinceBreak = 0;
    setImmediate(() => socket.resume());
    return false;
  };

  const fill = (socket: Socket, bytes: number): void => {
    filled += bytes;
    if (payload === undefined || filled < payload.length) return;
    const whole = payload;
    payload = undefined;
    socket.emit('data', whole);
  };

  const handOn = (socket: Socket, bytes: Buffer): void => {
    let from = 0;
    while (from < bytes.length) {
      const found = scan?.find(bytes, from);
      const end = found?.at ?? bytes.length;
      if (end > from) socket.emit('data', copyOf(bytes.subarray(from, end)));
      if (found === undefined) return;
      payload = Buffer.allocUnsafeSlow(found.length);
      filled = 0;
      const here = bytes.copy(payload, 0, end);
      from = end + here;
      fill(socket, here);
    }
  };

  return {
    onread: {
      buffer: () => payload?.subarray(filled, filled + readBytes) ?? shared,
      callback: function (this: Socket, bytes: number): boolean {
        if (payload === undefined) handOn(this, shared.subarray(0, bytes));
        else fill(this, bytes);
        return goesOn(this, bytes);
      },
    },
    begin: (head) => {
      scan = payloadScan(leastBytes, maxPayload);
      for (let from = 0; from < head.length;) {
        const found = scan.find(head, from);
        if (found === undefined) return;
        from = found.at + found.length;
        if (from > head.length) scan.skip(from - head.length);
      }
    },
  };
};

const readBytes = 64 * 1024;

/**
 * Node reads a socket up to 32 times before anything else gets its turn. The garbage collector must not be outrun like that:
 * while it marks, what comes in stays.
 */
const mostInTurn = 256 * 1024;

/** Smaller ones are copied sooner than a piece of their own is handled. */
const leastBytes = 16 * 1024;

const copyOf = (bytes: Buffer): Buffer => {
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(copy);
  return copy;
};
