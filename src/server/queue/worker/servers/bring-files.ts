import type { Client } from '../../../../client/client-types.js';
import * as E from '../../../../core/protocol/either.js';
import { fileInput } from '../../../../workflow/file-input.js';
import type { FileStore } from '../../store/redis-file-store.js';
import { hashOfName, inputFilesIn, withInputFiles } from '../../servers/input-file.js';
import { refusedTexts } from '../../../../core/errors/refused-texts.js';
import type { ServiceError } from '../../../../core/errors/errors.js';
import { serviceError } from '../../../../core/errors/service-error.js';
import type { Workflow } from '../../../../core/protocol/workflow.js';

/** Gives a server the files of the queue that a workflow names, and the workflow as that server takes it. */
export type BringFiles = (
  workflow: Workflow,
  server: string,
  client: Client,
) => Promise<E.Either<ServiceError, Workflow>>;

/**
 * Sends each file to a server once: the queue knows which servers have it, for all workers. A server that was down may have another disk, so
 * that it gets the file again.
 */
export const bringFiles = (files: Pick<FileStore, 'get' | 'valueOn' | 'noteOn'>): BringFiles => {
  /** The files under way from here, so that jobs that begin together send one once. */
  const sending = new Map<string, Promise<E.Either<ServiceError, unknown>>>();

  const send = async (
    { name, hash }: { readonly name: string; readonly hash: string },
    server: string,
    client: Client,
  ): Promise<E.Either<ServiceError, unknown>> => {
    const known = await files.valueOn(server, hash);
    if (known !== undefined) return E.right(known);
    const file = await files.get(hash);
    if (file === undefined) return E.left(gone(name));
    const content = new Blob([new Uint8Array(file.bytes)], { type: file.mediaType });
    const sent = await client.rest.uploadImage({ content, filename: name })();
    if (E.isLeft(sent)) return sent;
    const value = fileInput(sent.right);
    await files.noteOn(server, hash, value);
    return E.right(value);
  };

  return async (workflow, server, client) => {
    const values = new Map<string, unknown>();
    for (const file of inputFilesIn(workflow)) {
      const key = JSON.stringify([server, file.name]);
      const pending = sending.get(key) ?? send(file, server, client).finally(() => sending.delete(key));
      sending.set(key, pending);
      const value = await pending;
      if (E.isLeft(value)) return value;
      values.set(file.name, value.right);
    }
    return E.right(values.size === 0 ? workflow : withInputFiles(workflow, values));
  };
};

/**
 * Forgets that a server has the files of the queue at which it refused a workflow: one that was restarted may have another disk. They are sent
 * again then. False if the refusal is about none.
 */
export const forgetRefusedFiles =
  (files: Pick<FileStore, 'forgetOn'>) =>
  async (refusal: ServiceError, workflow: Workflow, server: string): Promise<boolean> => {
    const hashes = refusedTexts(refusal, workflow)
      .map(hashOfName)
      .filter((hash) => hash !== undefined);
    if (hashes.length > 0) await files.forgetOn(server, hashes);
    return hashes.length > 0;
  };

const gone = (filename: string): ServiceError =>
  serviceError('DownloadFailed', {
    filename,
    reason: 'the queue has not got it any more',
    message: `The queue has not got the file ${filename} of the workflow any more.`,
  });
