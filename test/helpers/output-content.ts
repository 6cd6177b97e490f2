import type { FileBytes } from '../../src/core/http/rest.js';
import type { OutputFile } from '../../src/core/state/output-files.js';

/** A picture that a job has made. */
export const output = (filename: string): OutputFile => ({
  nodeId: '9',
  filename,
  subfolder: '',
  type: 'output',
  mediaType: 'image/png',
});

/** What a storage answers with, in these chunks. */
export const content = (chunks: readonly string[], size?: number): FileBytes => ({
  mediaType: 'image/png',
  ...(size === undefined ? {} : { size }),
  // eslint-disable-next-line @typescript-eslint/require-await -- a body is an async iterable
  body: (async function* () {
    for (const chunk of chunks) yield new TextEncoder().encode(chunk);
  })(),
  discard: () => undefined,
});
