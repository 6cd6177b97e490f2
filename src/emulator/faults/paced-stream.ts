import { Duplex } from 'node:stream';
import { type EmulatorClock, pause } from '../clock.js';

/** What a socket's bytes meet on their way out. */
export interface StreamPlan extends BytePace {
  /** How much later everything goes out, in order. */
  readonly latencyMs?: number | undefined;
  /** Called with every piece that goes out and every chunk that comes in. */
  readonly onTraffic?: (() => void) | undefined;
  /** Called once this many bytes are out; nothing more goes out before it says so. */
  readonly stop?: { readonly afterBytes: number; readonly act: (goOn: () => void) => void } | undefined;
}

/** A stream around a connection that sends what is written to it as planned, and passes on what comes in. */
export const pacedStream = (connection: Duplex, plan: StreamPlan, clock: EmulatorClock): Duplex => {
  // The first write is the answer to the handshake: it goes out at once.
  let isHandshake = true;
  let left = plan.stop?.afterBytes ?? Infinity;
  const { latencyMs = 0 } = plan;
  /** Settles once everything that was late is out. */
  let late = Promise.resolve();

  const write = (piece: Uint8Array, done: () => void): void => {
    plan.onTraffic?.();
    connection.write(piece, () => done());
  };
  const send = (bytes: Uint8Array): Promise<void> =>
    writePieces(bytes, { ...plan, clock, write, isOver: () => connection.destroyed });

  /** The bytes, as far as the stop lets them. */
  const sendAll = async (chunk: Uint8Array): Promise<void> => {
    const now = chunk.subarray(0, left);
    left -= chunk.length;
    await send(now);
    if (left >= 0 || !plan.stop) return;
    left = Infinity;
    await new Promise<void>((resolve) => plan.stop?.act(resolve));
    await send(chunk.subarray(now.length));
  };

  const stream = new Duplex({
    write: (chunk: Buffer, _encoding, done) => {
      if (isHandshake) {
        isHandshake = false;
        write(chunk, done);
        return;
      }
      if (latencyMs === 0) {
        void sendAll(chunk).then(() => done());
        return;
      }
      const due = pause(clock, latencyMs);
      late = late.then(() => due).then(() => sendAll(chunk));
      done();
    },
    read: () => {
      connection.resume();
    },
    final: (done) => {
      void late.then(() => {
        connection.end();
        done();
      });
    },
    destroy: (error, done) => {
      connection.destroy();
      done(error);
    },
  });
  connection.on('data', (chunk: Buffer) => {
    plan.onTraffic?.();
    if (!stream.push(chunk)) connection.pause();
  });
  connection.on('end', () => stream.push(null));
  connection.on('error', (error) => stream.destroy(error));
  connection.on('close', () => stream.destroy());
  return stream;
};

/** How bytes are written. */
export interface WritePiecesOptions extends BytePace {
  readonly clock: EmulatorClock;
  readonly write: (piece: Uint8Array, done: () => void) => unknown;
  /** Asked before each piece: true ends it, for a stream that has no connection any more may never answer a write. */
  readonly isOver: () => boolean;
}

/** Writes bytes piece by piece, each once the one before has left; resolves when all are out, or it is over. */
export const writePieces = async (
  bytes: Uint8Array,
  { clock, write, isOver, ...pace }: WritePiecesOptions,
): Promise<void> => {
  for (const { piece, pauseMs } of cutIntoPieces(bytes, pace)) {
    if (isOver()) return;
    await new Promise<void>((resolve) => write(piece, resolve));
    await pause(clock, pauseMs);
  }
};

/** How bytes travel. */
export interface BytePace {
  readonly bytesPerSecond?: number | undefined;
  /** Sizes of the pieces, over and over. */
  readonly sizes?: readonly number[] | undefined;
}

/** A piece, and how long to wait after it. */
export interface BytePiece {
  readonly piece: Uint8Array;
  readonly pauseMs: number;
}

/**
 * Cuts bytes into pieces of the sizes given, or for a mere rate into a tenth of a second's worth. The pauses between
 * pieces make up the rate.
 */
export function* cutIntoPieces(
  bytes: Uint8Array,
  { bytesPerSecond = Infinity, sizes }: BytePace,
): Generator<BytePiece> {
  const perTick = bytesPerSecond === Infinity ? bytes.length : Math.ceil(bytesPerSecond / 10);
  const wanted = sizes ?? [Math.max(1, perTick)];
  let at = 0;
  for (let index = 0; at < bytes.length; index += 1) {
    const piece = bytes.subarray(at, at + (wanted[index % wanted.length] ?? 1));
    at += piece.length;
    yield { piece, pauseMs: (piece.length / bytesPerSecond) * 1000 };
  }
}
