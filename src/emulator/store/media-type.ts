/** The media type of a file by its name's extension. */
export const mediaTypeOf = (filename: string): string =>
  types.get(filename.slice(filename.lastIndexOf('.') + 1).toLowerCase()) ?? 'application/octet-stream';

const types: ReadonlyMap<string, string> = new Map([
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['webp', 'image/webp'],
  ['gif', 'image/gif'],
  ['wav', 'audio/wav'],
  ['mp3', 'audio/mpeg'],
  ['flac', 'audio/flac'],
  ['mp4', 'video/mp4'],
  ['webm', 'video/webm'],
  ['txt', 'text/plain; charset=utf-8'],
]);
