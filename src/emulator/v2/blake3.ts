import { createBLAKE3 } from 'hash-wasm';

/** Hashes bytes by BLAKE3-256, written as the interface has it: `blake3:` and 64 hexadecimal digits. */
export interface Blake3 {
  /** Hashes in one go: for files of a few megabytes. */
  readonly hash: (bytes: Uint8Array) => string;
  /** Hashes piece by piece, with a turn of the event loop after each, so that other requests go on. */
  readonly hashInTurns: (bytes: Uint8Array) => Promise<string>;
}

/** Compiles the hash function, once for each emulator. */
export const createBlake3 = async (): Promise<Blake3> => {
  const shared = await createBLAKE3();
  return {
    hash: (bytes) => `blake3:${shared.init().update(bytes).digest('hex')}`,
    hashInTurns: async (bytes) => {
      const hasher = (await createBLAKE3()).init();
      for (let at = 0; at < bytes.length; at += PIECE) {
        hasher.update(bytes.subarray(at, at + PIECE));
        await new Promise((resolve) => setImmediate(resolve));
      }
      return `blake3:${hasher.digest('hex')}`;
    },
  };
};

const PIECE = 1024 * 1024;
