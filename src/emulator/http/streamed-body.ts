import type { IncomingMessage, ServerResponse } from 'node:http';
import { abortConnection } from './abort-connection.js';
import { type EmulatorClock, pause } from '../clock.js';
import type { CutHow } from '../fault.js';
import { type BytePace, writePieces } from './paced-stream.js';

/** The body of an answer while it is being sent. */
export interface BodySink {
  /** Sends bytes; false while the client reads more slowly than they come. */
  readonly write: (bytes: string | Uint8Array) => boolean;
  /** Calls `listener` each time that the client has caught up. */
  readonly onDrain: (listener: () => void) => void;
  /** Calls `listener` once, when either side has ended the body or the connection. */
  readonly onClose: (listener: () => void) => void;
  /** Ends the body in order. */
  readonly end: () => void;
  /** Ends the connection, or silences it. */
  readonly abort: (how: CutHow | 'stall') => void;
}

/** Sends a body as it comes, without a length. */
export const responseSink = (request: IncomingMessage, response: ServerResponse): BodySink => ({
  // What comes after the end, as a fault may bring about, is dropped.
  write: (bytes) => (response.writableEnded || response.destroyed ? true : response.write(bytes)),
  onDrain: (listener) => void response.on('drain', listener),
  onClose: (listener) => void response.once('close', listener),
  end: () => response.end(),
  abort: (how) => abortConnection(request.socket, how),
});

/** The pace and the break of a streamed body. */
export interface StreamFaults extends BytePace {
  readonly break: { readonly afterBytes: number; readonly how: CutHow | 'stall' } | undefined;
}

/** Sends at the pace of the faults, up to their break; what is written later waits, and `write` is false meanwhile. */
export const pacedSink = (sink: BodySink, faults: StreamFaults, clock: EmulatorClock): BodySink => {
  let left = faults.break?.afterBytes ?? Infinity;
  let isOver = false;
  let waiting = 0;
  let queue = Promise.resolve();
  const drained: (() => void)[] = [];
  sink.onClose(() => {
    isOver = true;
  });
  const send = async (bytes: Uint8Array): Promise<void> => {
    const now = bytes.subarray(0, left);
    left -= bytes.length;
    await writePieces(now, {
      ...{ clock, bytesPerSecond: faults.bytesPerSecond, sizes: faults.sizes },
      isOver: () => isOver,
      write: (piece, done) => {
        sink.write(piece);
        done();
      },
    });
    if (left > 0 || isOver || !faults.break) return;
    isOver = true;
    const { how } = faults.break;
    // What was written before still leaves in this turn.
    await clock.turn();
    sink.abort(how);
  };
  return {
    ...sink,
    write: (bytes) => {
      waiting += 1;
      queue = queue
        .then(() => (isOver ? undefined : send(Buffer.from(bytes))))
        .then(() => {
          waiting -= 1;
          if (waiting === 0) for (const listener of drained) listener();
        });
      return false;
    },
    onDrain: (listener) => void drained.push(listener),
    end: () => {
      void queue.then(() => {
        if (!isOver) sink.end();
      });
    },
  };
};

/** Delays everything that is written, in order. */
export const delayedSink = (sink: BodySink, delayMs: number, clock: EmulatorClock): BodySink => {
  let queue = Promise.resolve();
  const later = (work: () => void): void => {
    const due = pause(clock, delayMs);
    queue = queue.then(() => due).then(work);
  };
  return {
    ...sink,
    write: (bytes) => {
      later(() => void sink.write(bytes));
      return true;
    },
    end: () => later(sink.end),
  };
};
