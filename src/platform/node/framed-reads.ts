import { isUtf8 } from 'node:buffer';
import type { OnReadOpts, Socket } from 'node:net';
import { type FrameHead, frameHeads, type FrameHeads, isText } from './frame-heads.js';

/** How a socket reads so that messages are taken from where they were read to. */
export interface FramedReads {
  /** An option of `net.connect` and `tls.connect`. */
  readonly onread: OnReadOpts;
  /** Tells where the frames begin: with `head`, what came together with the answer to the handshake. */
  readonly begin: (head: Buffer) => void;
}

/** What {@link framedReads} needs. */
export interface FramedReadsOptions {
  /** Bytes of the largest payload. */
  readonly maxPayload: number;
  /** Takes a message; whatever came before it has been handed on. */
  readonly message: (data: string | ArrayBuffer) => void;
  /** Whether a binary message is to be taken whose first bytes these are; they are good for the time of the call. */
  readonly wants: (start: Uint8Array) => boolean;
}

/**
 * Takes whole messages out of what a socket reads, and hands everything else on as it came, to `ws`.
 *
 * Nearly all messages come in one frame. `ws` makes six buffers for a short one, and puts a long one together from pieces of
 * 64 KiB, which leaves twice its size to the garbage collector. Here a text is read where it lies, and a payload of which more is
 * to come is read straight into its own buffer, or nowhere, if nobody wants it.
 *
 * `ws` has all the rest: messages in parts, pings, the end, and the judgement. What is no plain frame goes there, with all that
 * follows; so does a text that is not UTF-8. As soon as nobody listens for bytes any more, because they were against the rules or
 * the last ones, no message is taken either.
 */
export const framedReads = ({ maxPayload, message, wants }: FramedReadsOptions): FramedReads => {
  const shared = Buffer.allocUnsafeSlow(readBytes);
  let heads: FrameHeads | undefined;
  /** How many bytes of a header stand in `shared`, the rest of which is to come. */
  let held = 0;
  /** How many of these were handed on already; then their frame isn't ours. */
  let handedOn = 0;
  /** How many bytes are still of a frame that is not ours. */
  let others = Infinity;
  /** How many bytes are still of a message that nobody wants. */
  let unwanted = 0;
  /** A message of which more is to come. */
  let begun: Begun | undefined;
  let sinceBreak = 0;

  const deliver = (socket: Socket, data: string | ArrayBuffer): void => {
    if (isHeard(socket)) message(data);
  };

  const fill = (socket: Socket, { header, payload, filled }: Begun): void => {
    if (filled < payload.length) return;
    begun = undefined;
    const data = header === undefined ? payload.buffer : textOf(payload);
    if (data === undefined) {
      others = Infinity;
      socket.emit('data', header);
      socket.emit('data', payload);
    } else deliver(socket, data);
  };

  /** Takes the message whose header is at `from`, as far as it has come; tells where that ends, or `from` where it isn't taken. */
  const take = (socket: Socket, bytes: Buffer, from: number, { at, length }: FrameHead): number => {
    const end = at + length;
    if (!isText(bytes, from) && !(isHeard(socket) && wants(bytes.subarray(at, end)))) {
      unwanted = Math.max(0, end - bytes.length);
      return end - unwanted;
    }
    if (end > bytes.length) {
      const payload = Buffer.allocUnsafeSlow(length);
      const header = isText(bytes, from) ? copyOf(bytes.subarray(from, at)) : undefined;
      begun = { header, payload, filled: bytes.copy(payload, 0, at) };
      return bytes.length;
    }
    const data = isText(bytes, from) ? textOf(bytes, at, end) : copyOf(bytes.subarray(at, end)).buffer;
    if (data === undefined) {
      others = Infinity;
      return from;
    }
    deliver(socket, data);
    return end;
  };

  /** Goes through bytes from frame to frame: takes what is ours, and hands on what is not. */
  const goThrough = (socket: Socket, bytes: Buffer): void => {
    /** Up to where bytes were taken or handed on. */
    let done = handedOn;
    let at = Math.min(unwanted, bytes.length);
    unwanted -= at;
    done += at;
    let isOurs = false;
    while (at < bytes.length) {
      if (others > 0) {
        const step = Math.min(others, bytes.length - at);
        at += step;
        others -= step;
        continue;
      }
      isOurs = at >= done && heads?.isMessage(bytes, at) === true;
      const head = heads?.read(bytes, at);
      if (head === undefined) break;
      if (!isOurs || head.length > maxPayload) others = head.at - at + head.length;
      else {
        if (at > done) socket.emit('data', copyOf(bytes.subarray(done, at)));
        at = done = take(socket, bytes, at, head);
      }
    }
    // A header that is not whole may be ours; any other must be judged at once.
    const end = isOurs ? at : bytes.length;
    const rest = end > done ? copyOf(bytes.subarray(done, end)) : undefined;
    held = bytes.copy(shared, 0, at);
    handedOn = Math.max(0, Math.max(done, end) - at);
    // At last, as it may bring the answer to the handshake, and so call `begin`.
    if (rest !== undefined) socket.emit('data', rest);
  };

  /** Tells whether to go on reading, or only in the next turn of the event loop. */
  const goesOn = (socket: Socket, bytes: number): boolean => {
    sinceBreak += bytes;
    if (sinceBreak < mostInTurn) return true;
    sinceBreak = 0;
    setImmediate(() => socket.resume());
    return false;
  };

  return {
    onread: {
      buffer: () => begun?.payload.subarray(begun.filled, begun.filled + readBytes) ?? shared.subarray(held),
      callback: function (this: Socket, bytes: number): boolean {
        if (begun === undefined) goThrough(this, shared.subarray(0, held + bytes));
        else {
          begun.filled += bytes;
          fill(this, begun);
        }
        return goesOn(this, bytes);
      },
    },
    begin: (head) => {
      heads = frameHeads(maxPayload);
      let at = 0;
      for (let frame = heads.read(head, 0); frame !== undefined; frame = heads.read(head, at)) {
        at = frame.at + frame.length;
      }
      others = Math.max(0, at - head.length);
      if (others === 0) held = handedOn = head.copy(shared, 0, at);
    },
  };
};

/** A message that has begun. */
interface Begun {
  /** Of a text, which may have to be handed on after all. */
  readonly header: Buffer | undefined;
  /** Never seen by anybody before it is full. */
  readonly payload: Buffer<ArrayBuffer>;
  filled: number;
}

const readBytes = 64 * 1024;

/**
 * Node reads a socket up to 32 times before anything else gets its turn. The garbage collector must not be outrun like that:
 * while it marks, what comes in stays.
 */
const mostInTurn = 256 * 1024;

const isHeard = (socket: Socket): boolean => socket.listenerCount('data') > 0;

/** Undefined for what is not UTF-8, which a message that has this character in place of it may be. */
const textOf = (bytes: Buffer, from = 0, end = bytes.length): string | undefined => {
  const text = bytes.toString(undefined, from, end);
  return text.includes('\uFFFD') && !isUtf8(bytes.subarray(from, end)) ? undefined : text;
};

const copyOf = (bytes: Uint8Array): Buffer<ArrayBuffer> => {
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  copy.set(bytes);
  return copy;
};
