/** The text of a file, without a mark of its order of bytes: UTF-16 where it has that mark, else UTF-8, else Latin-1 with a warning. */
export const decodeFile = (
  name: string,
  bytes: Uint8Array,
  { warn }: { readonly warn?: (message: string) => void },
): string => {
  const mark = `${bytes[0]} ${bytes[1]}`;
  if (mark === '255 254') return new TextDecoder('utf-16le').decode(bytes);
  if (mark === '254 255') return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    warn?.(`${name} is not UTF-8: it was read as Latin-1, so that letters beyond ASCII may be others`);
    return new TextDecoder('latin1').decode(bytes);
  }
};
