import type { Call } from '../../core/interop/call.js';
import * as E from '../../core/protocol/either.js';
import { fileInput } from '../../workflow/file-input.js';
import type { PooledServer } from './pool-server.js';
import type { ServiceError } from '../../core/errors/errors.js';
import { serviceError } from '../../core/errors/service-error.js';
import type { UploadedFile } from '../../core/protocol/file-ref.js';
import type { UploadOptions, UploadSource, ViewOptions, FileContent } from '../../core/http/rest-options.js';
import type { Workflow } from '../../core/protocol/workflow.js';

/** The files that were uploaded through a pool, and which servers have them. */
export interface PoolFiles {
  /** Sends a file to one server that is there. */
  readonly upload: (source: UploadSource, options?: UploadOptions) => Call<UploadedFile>;
  /** Reads such a file from a server that has it; Left `NotFound` for one that the pool does not know. */
  readonly view: (file: UploadedFile, options?: ViewOptions) => Call<FileContent>;
  /**
   * Copies to a server what a workflow names and the server lacks, each file once, and gives the workflow with the names that the server
   * has for them. Undefined where the workflow names no file of the pool.
   */
  readonly bring: (
    workflow: Workflow,
    server: PooledServer,
  ) => Promise<E.Either<ServiceError, Workflow>> | undefined;
}

/** A file, and what it is called on each server that has it, or is about to. */
interface KnownFile {
  readonly file: UploadedFile;
  readonly names: Map<PooledServer, Promise<E.Either<ServiceError, string>>>;
}

/** Notes the last 10,000 uploads. */
export const poolFiles = (servers: ReadonlyMap<string, PooledServer>): PoolFiles => {
  const known = new Map<string, KnownFile>();
  const note = (file: UploadedFile, server: PooledServer): UploadedFile => {
    const name = fileInput(file);
    // What a service keeps as an asset has an id of its account.
    if (typeof name !== 'string') return file;
    const { names } = known.get(name) ?? { names: new Map() };
    names.set(server, Promise.resolve(E.right(name)));
    known.delete(name);
    known.set(name, { file, names });
    const [oldest] = known.keys();
    if (known.size > mostKnown && oldest !== undefined) known.delete(oldest);
    return file;
  };

  const upload: PoolFiles['upload'] = (source, options) => async () => {
    let refusal: E.Either<ServiceError, never> = E.left(away('Nothing was uploaded.'));
    for (const server of [...servers.values()].filter(isThere)) {
      const answer = await server.client.rest.uploadImage(source, options)();
      if (E.isRight(answer)) return E.right(note(answer.right, server));
      refusal = answer;
      if (answer.left._tag !== 'Network' && answer.left._tag !== 'Timeout') break;
    }
    return refusal;
  };

  const view: PoolFiles['view'] = (file, options) => async () => {
    const name = fileInput(file);
    const holders = [...((typeof name === 'string' ? known.get(name) : undefined)?.names.keys() ?? [])];
    // After a restart no server is known to have it.
    const asked = holders.length === 0 ? [...servers.values()] : holders;
    let refusal: E.Either<ServiceError, never> = E.left(away('The file was not read.'));
    for (const server of asked.filter(isThere)) {
      const { subfolder, type, asset } = file;
      const ref = { filename: file.name, subfolder, type, ...(asset !== undefined && { asset }) };
      const content = await server.client.rest.view(ref, options)();
      if (E.isRight(content)) return content;
      refusal = content;
    }
    return refusal;
  };

  const copied = async (
    { file }: KnownFile,
    server: PooledServer,
  ): Promise<E.Either<ServiceError, string>> => {
    const content = await view(file)();
    if (E.isLeft(content)) return content;
    const blob = await content.right
      .blob()
      .then(E.right, (cause: unknown) => E.left(unreadable(file, cause)));
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
  const nameOn = async (entry: KnownFile, server: PooledServer): Promise<E.Either<ServiceError, string>> => {
    const before = entry.names.get(server);
    const pending = before ?? copied(entry, server);
    entry.names.set(server, pending);
    const answer = await pending;
    if (E.isLeft(answer)) entry.names.delete(server);
    return answer;
  };

  const bring: PoolFiles['bring'] = (workflow, server) => {
    const named = known.size === 0 ? [] : textsIn(workflow).filter((text) => known.has(text));
    if (named.length === 0) return undefined;
    return (async () => {
      const renamed = new Map<string, string>();
      for (const text of new Set(named)) {
        const entry = known.get(text);
        const name = entry === undefined ? E.right(text) : await nameOn(entry, server);
        if (E.isLeft(name)) return name;
        if (name.right !== text) renamed.set(text, name.right);
      }
      return E.right(renamed.size === 0 ? workflow : withTexts(workflow, renamed));
    })();
  };
  return { upload, view, bring };
};

const mostKnown = 10_000;

const isThere = ({ state }: PooledServer): boolean => state().health !== 'down';

/** The inputs of a workflow that are texts, as names of files are. */
const textsIn = (workflow: Workflow): readonly string[] =>
  Object.values(workflow).flatMap(({ inputs }) =>
    Object.values(inputs).filter((value) => typeof value === 'string'),
  );

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

const unreadable = ({ name }: UploadedFile, cause: unknown): ServiceError =>
  serviceError('DownloadFailed', {
    filename: name,
    reason: 'it could not be copied from one server to another',
    cause,
  });
