import type { PassThrough } from 'node:stream';

/** All that was written to a stream so far, in as many chunks as it keeps it: `read()` may give one of them at a time. */
export const textIn = (stream: PassThrough): string => {
  const chunks: Buffer[] = [];
  for (let chunk = read(stream); chunk !== null; chunk = read(stream)) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
};

const read = (stream: PassThrough): Buffer | null => stream.read() as Buffer | null;
