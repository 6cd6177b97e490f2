import * as E from '../../core/protocol/either.js';
import { fileInput } from '../../workflow/file-input.js';
import type { PooledServer } from './pool-server.js';
import type { PoolFile } from './start-options.js';
import type { ServiceError } from '../../core/errors/errors.js';
import type { UploadedFile } from '../../core/protocol/file-ref.js';

/** A file, and what it is called on each server that has it, or is about to. */
export interface KnownFile {
  readonly file: UploadedFile;
  readonly names: Map<PooledServer, Promise<E.Either<ServiceError, string>>>;
}

/** The last 10,000 files that jobs of a pool named. */
export interface KnownFiles {
  readonly size: () => number;
  /** The file by what a workflow calls it. */
  readonly of: (text: string) => KnownFile | undefined;
  /** Notes that a server has a file; gives the file. */
  readonly note: (file: UploadedFile, server: PooledServer) => UploadedFile;
  /** A file that a program names with a job: what stands on one server alone is another file than one of this name elsewhere. */
  readonly entryOf: (wanted: PoolFile, text: string) => KnownFile;
  /** The servers that have a file: the one that is named, those that are known to, or any. */
  readonly holdersOf: (wanted: PoolFile) => readonly PooledServer[];
}

/** Knows no file at first. */
export const knownFiles = (servers: ReadonlyMap<string, PooledServer>): KnownFiles => {
  const known = new Map<string, KnownFile>();
  const keep = (key: string, entry: KnownFile): KnownFile => {
    known.delete(key);
    known.set(key, entry);
    const [oldest] = known.keys();
    if (known.size > maxKnown && oldest !== undefined) known.delete(oldest);
    return entry;
  };
  return {
    size: () => known.size,
    of: (text) => known.get(text),
    note: (file, server) => {
      const name = fileInput(file);
      // What a service keeps as an asset has an id of its account.
      if (typeof name !== 'string') return file;
      const { names } = known.get(name) ?? { names: new Map() };
      names.set(server, Promise.resolve(E.right(name)));
      keep(name, { file, names });
      return file;
    },
    entryOf: ({ file, server }, text) => {
      if (server === undefined) return known.get(text) ?? keep(text, { file, names: new Map() });
      const key = JSON.stringify([server, text]);
      const holder = servers.get(server);
      const names: KnownFile['names'] = new Map(
        holder === undefined ? [] : [[holder, Promise.resolve(E.right(text))]],
      );
      return known.get(key) ?? keep(key, { file, names });
    },
    holdersOf: ({ file, server }) => {
      if (server !== undefined) return [...servers.values()].filter(({ name }) => name === server);
      const name = fileInput(file);
      const names = typeof name === 'string' ? known.get(name)?.names : undefined;
      const noted = [...(names?.keys() ?? [])].filter((one) => servers.get(one.name) === one);
      // After a restart no server is known to have it, nor after the one that had it was removed.
      return noted.length === 0 ? [...servers.values()] : noted;
    },
  };
};

const maxKnown = 10_000;
