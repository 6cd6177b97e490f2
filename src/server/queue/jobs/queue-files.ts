import { hashOfBytes, hashOfName, inputFile } from '../servers/input-file.js';
import type { JobQueue } from './job-queue.js';
import type { OpenQueue } from './open-queue.js';
import { serviceError } from '../../../core/errors/service-error.js';

/** The most bytes of one file: Redis keeps it in memory, and takes 512 MiB at most. */
const maxBytes = 256 * 2 ** 20;

/** The calls of a queue that concern the input files of its jobs. */
export const queueFiles = (
  open: () => Promise<OpenQueue>,
  name: string,
): Pick<JobQueue, 'upload' | 'viewUpload'> => {
  const overServers = async (): Promise<OpenQueue> => {
    const queue = await open();
    if (queue.kind === 'servers') return queue;
    throw serviceError('NotSupported', {
      message: `The queue ${name} is over an account, whose service keeps the files of its jobs.`,
      hint: 'Upload by a client of the account, as client.rest.uploadImage does, and name that file in the workflow.',
    });
  };
  return {
    upload: async ({ content, filename }) => {
      const { files } = await overServers();
      const size = content instanceof Blob ? content.size : content.length;
      if (size > maxBytes) throw tooLarge(filename, size);
      const bytes = content instanceof Blob ? new Uint8Array(await content.arrayBuffer()) : content;
      const hash = hashOfBytes(bytes);
      const mediaType = (content instanceof Blob && content.type) || 'application/octet-stream';
      if (!(await files.has(hash))) await files.put(hash, { mediaType, bytes });
      return inputFile(hash, filename);
    },
    viewUpload: async (file) => {
      const { files } = await overServers();
      const hash = hashOfName(file);
      const found = hash === undefined ? undefined : await files.get(hash);
      if (found === undefined) throw serviceError('NotFound', { message: `The queue has no file ${file}.` });
      return new Blob([new Uint8Array(found.bytes)], { type: found.mediaType });
    },
  };
};

const tooLarge = (filename: string, size: number): Error =>
  serviceError('TooLarge', {
    message: `${filename} has ${size} bytes; a queue keeps files of at most ${maxBytes}.`,
    hint: 'Put larger files on each server that may run the job, and name them in the workflow.',
  });
