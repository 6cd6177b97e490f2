import type { CallScope } from '../call-scope.js';
import type { Hasher } from './blake3.js';

/**
 * Hashes a blob as it is read, by BLAKE3-256; resolves with undefined if the runtime can't (the module is not there, or the
 * policy of a page forbids WebAssembly), and rejects where the blob can't be read or the scope ends.
 *
 * The module is loaded with the first upload, so that a page without one loads none of it.
 */
export const hashBlob = async (
  blob: Blob,
  scope: CallScope,
  makeHasher: () => Promise<Hasher> = loadBlake3,
): Promise<string | undefined> => {
  const hasher = await scope.race(makeHasher().catch(() => undefined));
  if (hasher === undefined) return undefined;
  const reader = blob.stream().getReader();
  try {
    for (;;) {
      const { done, value } = await scope.race(reader.read());
      if (done) return hasher.digest();
      hasher.update(value);
      scope.moved(value.byteLength);
    }
  } finally {
    void reader.cancel().catch(() => undefined);
  }
};

const loadBlake3 = async (): Promise<Hasher> => (await import('./blake3.js')).blake3();
