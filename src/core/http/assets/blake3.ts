import { createBLAKE3 } from 'hash-wasm';

/** Hashes bytes as they come. */
export interface Hasher {
  readonly update: (bytes: Uint8Array) => void;
  /** BLAKE3-256 of all bytes, as `blake3:` and 64 hexadecimal digits. */
  readonly digest: () => string;
}

/** Makes a {@link Hasher}; rejects where the runtime compiles no WebAssembly, as a page whose policy forbids it. */
export const blake3 = async (): Promise<Hasher> => {
  const hash = await createBLAKE3();
  hash.init();
  return {
    update: (bytes) => void hash.update(bytes),
    digest: () => `blake3:${hash.digest('hex')}`,
  };
};
