import type { FileBytes, FileContent } from './rest.js';

/** A file on its way that can also be read whole, or as a web stream. */
export const readableContent = (file: FileBytes): FileContent => {
  const blob = async (): Promise<Blob> => {
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    for await (const chunk of file.body) chunks.push(chunk as Uint8Array<ArrayBuffer>);
    return new Blob(chunks, { type: file.mediaType });
  };
  return {
    ...file,
    blob,
    bytes: async () => new Uint8Array(await (await blob()).arrayBuffer()),
    stream: () => streamOf(file),
  };
};

/** Reads a chunk only when it is asked for. */
const streamOf = ({ body, discard }: FileBytes): ReadableStream<Uint8Array> => {
  const chunks = body[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const chunk = await chunks.next();
        if (chunk.done === true) controller.close();
        else controller.enqueue(chunk.value);
      },
      // A body that was not begun gives its connection up by this alone.
      cancel: discard,
    },
    { highWaterMark: 0 },
  );
};
