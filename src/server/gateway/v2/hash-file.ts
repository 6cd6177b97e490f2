/** Hashes a file as it is read, by BLAKE3-256; undefined if the runtime compiles no WebAssembly. */
export const hashFile = async (file: Blob): Promise<string | undefined> => {
  const { blake3 } = await import('../../../core/http/assets/blake3.js');
  const hasher = await blake3().catch(() => undefined);
  if (hasher === undefined) return undefined;
  const reader = file.stream().getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return hasher.digest();
    hasher.update(value);
  }
};
