/** Bytes as base64; in pieces, as an argument list has a bound. */
export const toBase64 = (bytes: Uint8Array): string => {
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += pieceBytes)
    pieces.push(String.fromCharCode(...bytes.subarray(at, at + pieceBytes)));
  return btoa(pieces.join(''));
};

const pieceBytes = 16_384;
