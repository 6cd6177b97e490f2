import { giveBack } from './give-back.js';

/** What is written to; `writev` may take less than it was given. */
export interface WriteTarget {
  readonly writev: (pieces: readonly Uint8Array[]) => Promise<{ readonly bytesWritten: number }>;
}

/** Writes pieces in their order, many at a time. */
export interface GatheredWrites {
  /** Takes the piece over, which is nobody else's from now on; resolves when there is room for the next one. */
  readonly write: (piece: Uint8Array) => Promise<void>;
  /** Resolves when everything is written. */
  readonly flush: () => Promise<void>;
}

/**
 * Writes behind: while one batch of 512 KiB is on its way to the disk the next one is gathered, and no third.
 *
 * Each write is a trip to another thread, which for pieces as a network gives them takes longer than the bytes do. The
 * memory of a batch is given back as soon as it is written. A failure is thrown by the write that fills the next batch or
 * by `flush`, and by every call after that.
 */
export const gatheredWrites = (target: WriteTarget): GatheredWrites => {
  let batch: Uint8Array[] = [];
  let bytes = 0;
  let writing: Promise<void> = Promise.resolve();

  const begin = async (): Promise<void> => {
    await writing;
    const pieces = batch;
    [batch, bytes] = [[], 0];
    writing = writeAll(target, pieces);
    // It is thrown where the batch is waited for.
    writing.catch(() => undefined);
  };
  return {
    write: async (piece) => {
      batch.push(piece);
      bytes += piece.byteLength;
      if (bytes >= batchBytes) await begin();
    },
    flush: async () => {
      await begin();
      await writing;
    },
  };
};

const batchBytes = 512 * 1024;

const writeAll = async (target: WriteTarget, pieces: readonly Uint8Array[]): Promise<void> => {
  let left = pieces.filter(({ byteLength }) => byteLength > 0);
  while (left.length > 0) left = without(left, (await target.writev(left)).bytesWritten);
  giveBack(pieces);
};

const without = (pieces: readonly Uint8Array[], written: number): Uint8Array[] => {
  let left = written;
  const next = pieces.findIndex(({ byteLength }) => {
    if (left < byteLength) return true;
    left -= byteLength;
    return false;
  });
  const [first, ...rest] = next === -1 ? [] : pieces.slice(next);
  return first === undefined ? [] : [first.subarray(left), ...rest];
};
