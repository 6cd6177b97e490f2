import type { Call } from '../../core/interop/call.js';
import * as E from '../../core/protocol/either.js';
import { fileInput } from '../../workflow/file-input.js';
import { knownFiles, type KnownFile } from './known-files.js';
import type { PooledServer } from './pool-server.js';
import type { ServiceError } from '../../core/errors/errors.js';
import { isServiceError, serviceError } from '../../core/errors/service-error.js';
import type { FileRef, UploadedFile } from '../../core/protocol/file-ref.js';
import type { PoolFile } from './start-options.js';
import { refusedTexts, textsIn } from '../../core/errors/refused-texts.js';
import type { UploadOptions, UploadSource, ViewOptions, FileContent } from '../../core/http/rest-options.js';
import type { Workflow } from '../../core/protocol/workflow.js';

/** The files that jobs of a pool name, and which servers have them. */
export interface PoolFiles {
  /** Sends a file to one server that is up. */
  readonly upload: (source: UploadSource, options?: UploadOptions) => Call<UploadedFile>;
  /** Has a server that has the original make a picture of it with a mask. */
  readonly uploadMask: (
    mask: UploadSource,
    original: PoolFile,
    options?: UploadOptions,
  ) => Call<UploadedFile>;
  /** Reads such a file from a server that has it; Left `NotFound` for one that the pool does not know. */
  readonly view: (file: UploadedFile, options?: ViewOptions) => Call<FileContent>;
  /**
   * Copies to a server what a workflow names and the server lacks, each file once, and gives the workflow with the names that the server
   * has for them. Undefined if the workflow names no file of the pool.
   *
   * @param files - Those that the program names with the job.
   */
  readonly bring: (
    workflow: Workflow,
    server: PooledServer,
    files?: readonly PoolFile[],
  ) => Promise<E.Either<ServiceError, Workflow>> | undefined;
  /** Notes that a server has a file that was uploaded there. */
  readonly note: (file: UploadedFile, server: PooledServer) => UploadedFile;
  /**
   * Forgets that a server has the files which are named where it refused a workflow: one that was restarted may have another disk. `bring` copies
   * them again then. False if the refusal is about none.
   */
  readonly forgetRefused: (
    refusal: ServiceError,
    workflow: Workflow,
    server: PooledServer,
    files?: readonly PoolFile[],
  ) => boolean;
}

/** Copies files from server to server as jobs need them. */
export const poolFiles = (servers: ReadonlyMap<string, PooledServer>): PoolFiles => {
  const known = knownFiles(servers);

  const upload: PoolFiles['upload'] = (source, options) => async () => {
    let refusal: E.Either<ServiceError, never> = E.left(away('Nothing was uploaded.'));
    for (const server of [...servers.values()].filter(isThere)) {
      const answer = await server.client.rest.uploadImage(source, options)();
      if (E.isRight(answer)) return E.right(known.note(answer.right, server));
      refusal = answer;
      if (answer.left._tag !== 'Network' && answer.left._tag !== 'Timeout') break;
    }
    return refusal;
  };

  const read =
    (wanted: PoolFile, options?: ViewOptions): Call<FileContent> =>
    async () => {
      let refusal: E.Either<ServiceError, never> = E.left(away('The file was not read.'));
      for (const server of known.holdersOf(wanted).filter(isThere)) {
        const content = await server.client.rest.view(refOf(wanted.file), options)();
        if (E.isRight(content)) return content;
        refusal = content;
        if (content.left._tag === 'Network' || content.left._tag === 'Timeout') server.suspect();
      }
      return refusal;
    };

  const uploadMask: PoolFiles['uploadMask'] = (mask, original, options) => async () => {
    let refusal: E.Either<ServiceError, never> = E.left(away('Nothing was uploaded.'));
    for (const server of known.holdersOf(original).filter(isThere)) {
      const made = await server.client.rest.uploadMask(mask, refOf(original.file), options)();
      if (E.isRight(made)) return E.right(known.note(made.right, server));
      refusal = made;
    }
    return refusal;
  };

  const copied = async (wanted: PoolFile, server: PooledServer): Promise<E.Either<ServiceError, string>> => {
    const { file } = wanted;
    const content = await read(wanted)();
    // Not the fault of the server that is to get it: the job goes to one that has the file.
    if (E.isLeft(content)) return E.left(notCopied(file, content.left));
    const blob = await content.right.blob().then(E.right, (cause: unknown) => E.left(notCopied(file, cause)));
    if (E.isLeft(blob)) return blob;
    const { name: filename, subfolder, type } = file;
    const sent = await server.client.rest.uploadImage(
      { content: blob.right, filename },
      { subfolder, type: type as 'input' },
    )();
    if (E.isLeft(sent)) return sent;
    const name = fileInput(sent.right);
    return E.right(typeof name === 'string' ? name : filename);
  };
  const nameOn = async (
    { names }: KnownFile,
    wanted: PoolFile,
    server: PooledServer,
  ): Promise<E.Either<ServiceError, string>> => {
    const pending = names.get(server) ?? copied(wanted, server);
    names.set(server, pending);
    const answer = await pending;
    if (E.isLeft(answer)) names.delete(server);
    return answer;
  };
  /** Finds the file that a text of a workflow names; undefined if there are no files. */
  const finder = (files: readonly PoolFile[]): ((text: string) => PoolFile | undefined) | undefined => {
    const named = new Map<unknown, PoolFile>(files.map((wanted) => [fileInput(wanted.file), wanted]));
    return known.size() === 0 && named.size === 0 ? undefined : (text) => named.get(text) ?? known.of(text);
  };
  const bring: PoolFiles['bring'] = (workflow, server, files = []) => {
    const wantedOf = finder(files);
    if (wantedOf === undefined) return undefined;
    const texts = textsIn(Object.values(workflow)).filter((text) => wantedOf(text) !== undefined);
    if (texts.length === 0) return undefined;
    return (async () => {
      const renamed = new Map<string, string>();
      for (const text of new Set(texts)) {
        const wanted = wantedOf(text);
        if (wanted === undefined) continue;
        const name = await nameOn(known.entryOf(wanted, text), wanted, server);
        if (E.isLeft(name)) return name;
        if (name.right !== text) renamed.set(text, name.right);
      }
      return E.right(renamed.size === 0 ? workflow : withTexts(workflow, renamed));
    })();
  };
  const forgetRefused: PoolFiles['forgetRefused'] = (refusal, workflow, server, files = []) => {
    const wantedOf = finder(files);
    const named = refusedTexts(refusal, workflow).filter((text) => {
      const wanted = wantedOf?.(text);
      if (wanted !== undefined) known.entryOf(wanted, text).names.delete(server);
      return wanted !== undefined;
    });
    return named.length > 0;
  };
  return {
    upload,
    uploadMask,
    view: (file, options) => read({ file }, options),
    bring,
    note: known.note,
    forgetRefused,
  };
};

const refOf = ({ name, subfolder, type, asset }: UploadedFile): FileRef => ({
  ...{ filename: name, subfolder, type },
  ...(asset !== undefined && { asset }),
});

const isThere = ({ state }: PooledServer): boolean => state().health !== 'down';

const withTexts = (workflow: Workflow, texts: ReadonlyMap<string, string>): Workflow =>
  Object.fromEntries(
    Object.entries(workflow).map(([nodeId, node]) => [
      nodeId,
      {
        ...node,
        inputs: Object.fromEntries(
          Object.entries(node.inputs).map(([name, value]) => [
            name,
            typeof value === 'string' ? (texts.get(value) ?? value) : value,
          ]),
        ),
      },
    ]),
  );

const away = (hint: string): ServiceError =>
  serviceError('Network', {
    code: 'EAWAY',
    sent: false,
    message: 'No server of the pool that is there has or takes the file.',
    hint: `Start the servers that are away, and try again. ${hint}`,
  });

const notCopied = ({ name }: UploadedFile, cause: unknown): ServiceError =>
  isServiceError(cause) && cause._tag === 'DownloadFailed'
    ? cause
    : serviceError('DownloadFailed', {
        filename: name,
        reason: 'it could not be copied from a server that has it',
        cause,
      });
