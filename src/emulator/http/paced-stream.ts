import { Duplex } from 'node:stream';
import { type EmulatorClock, pause } from '../clock.js';

/** The pace of a socket's outgoing bytes. */
export interface StreamPlan extends BytePace {
  /** Delay of all outgoing bytes, which stay in order. */
  readonly latencyMs?: number | undefined;
  /** Called for every piece that goes out and every chunk that comes in. */
  readonly onTraffic?: (() => void) | undefined;
  /** Called once this many bytes are out; further bytes wait for `goOn`. */
  readonly stop?: { readonly afterBytes: number; readonly act: (goOn: () => void) => void } | undefined;
}

/** Wraps a connection: paces what is written, passes on what comes in. */
export const pacedStream = (connection: Duplex, plan: StreamPlan, clock: EmulatorClock): Duplex => {
  // The first write is the answer to the handshake, which is not paced.
  let isHandshake = true;
  let left = plan.stop?.afterBytes ?? Infinity;
  const { latencyMs = 0 } = plan;
  /** Settles once all delayed writes are out. */
  let late = Promise.resolve();

  const write = (piece: Uint8Array, done: () => void): void => {
    plan.onTraffic?.();
    connection.write(piece, () => done());
  };
  const send = (bytes: Uint8Array): Promise<void> =>
    writePieces(bytes, { ...plan, clock, write, isOver: () => connection.destroyed });

  /** Sends the bytes, and pauses at the stop. */
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

/** How {@link writePieces} writes. */
export interface WritePiecesOptions extends BytePace {
  readonly clock: EmulatorClock;
  readonly write: (piece: Uint8Array, done: () => void) => unknown;
  /** Checked before each piece: a stream without a connection may never call back from a write. */
  readonly isOver: () => boolean;
}

/** Writes bytes piece by piece, each after the one before has left; resolves when all are out or `isOver`. */
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

/** A rate, sizes of pieces, or both. */
export interface BytePace {
  readonly bytesPerSecond?: number | undefined;
  /** Sizes of the pieces, repeated. */
  readonly sizes?: readonly number[] | undefined;
}

/** A piece, and how long to wait after it. */
export interface BytePiece {
  readonly piece: Uint8Array;
  readonly pauseMs: number;
}

/**
 * Cuts bytes into pieces of the given sizes, or by default of a tenth of a second at the given rate. The pauses make up
 * the rate.
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
