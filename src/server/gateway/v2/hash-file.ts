import { nextTurn } from '../../../core/platform/next-turn.js';
import { realClock } from '../../../core/platform/clock.js';

/** So many bytes are hashed in one turn of the event loop: a file in memory is read without any. */
const turnBytes = 4 * 2 ** 20;

/** Hashes a file as it is read, by BLAKE3-256; undefined if the runtime compiles no WebAssembly. */
export const hashFile = async (file: Blob): Promise<string | undefined> => {
  const { blake3 } = await import('../../../core/http/assets/blake3.js');
  const hasher = await blake3().catch(() => undefined);
  if (hasher === undefined) return undefined;
  const reader = file.stream().getReader();
  let inTurn = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return hasher.digest();
    hasher.update(value);
    inTurn += value.byteLength;
    if (inTurn < turnBytes) continue;
    await nextTurn(realClock);
    inTurn = 0;
  }
};
