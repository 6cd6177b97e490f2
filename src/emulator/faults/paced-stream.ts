import { Duplex } from 'node:stream';
import type { EmulatorClock } from '../clock.js';
import { cutIntoPieces, type BytePace } from './cut-into-pieces.js';

/** What a socket's bytes meet on their way out. */
export interface StreamPlan extends BytePace {
  /** How much later everything goes out, in order. */
  readonly latencyMs?: number | undefined;
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

  const send = async (bytes: Uint8Array): Promise<void> => {
    for (const { piece, pauseMs } of cutIntoPieces(bytes, plan)) {
      if (connection.destroyed) return;
      await new Promise<void>((resolve) => connection.write(piece, () => resolve()));
      if (pauseMs > 0) await new Promise<void>((resolve) => clock.after(pauseMs, resolve));
    }
  };

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
        connection.write(chunk, () => done());
        return;
      }
      if (latencyMs === 0) {
        void sendAll(chunk).then(() => done());
        return;
      }
      const due = new Promise<void>((resolve) => clock.after(latencyMs, resolve));
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
    if (!stream.push(chunk)) connection.pause();
  });
  connection.on('end', () => stream.push(null));
  connection.on('error', (error) => stream.destroy(error));
  connection.on('close', () => stream.destroy());
  return stream;
};
