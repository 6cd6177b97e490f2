import { createHash } from 'node:crypto';
import type { FileDescriptor, NewFile } from '../engine/node-class.js';
import type { Switches } from '../switches.js';

/** A stored file. */
export interface StoredFile extends FileDescriptor {
  readonly bytes: Uint8Array;
  /** Where it is not the one of the name's extension. */
  readonly mediaType?: string;
}

/** An upload before it has its name. */
export interface Upload {
  readonly bytes: Uint8Array;
  readonly filename: string;
  readonly type: FileDescriptor['type'];
  readonly subfolder: string;
  readonly overwrite: boolean;
}

/** The uploaded and generated files of one account, in memory. */
export interface FileStore {
  readonly save: (file: NewFile) => FileDescriptor;
  readonly upload: (upload: Upload) => FileDescriptor;
  /** By name; ` [temp]` and the like at its end, type and subfolder count only where names are not content hashes. */
  readonly find: (name: string, type?: string, subfolder?: string) => StoredFile | undefined;
  readonly remove: (file: FileDescriptor) => void;
  /** Names of the uploads, for the lists of object_info. */
  readonly inputs: () => readonly string[];
  /** Names of the files of a type that are in no subfolder, the newest first. */
  readonly top: (type: FileDescriptor['type']) => readonly string[];
  /** Every file, the oldest first. */
  readonly all: () => readonly StoredFile[];
  /** Keeps a file under the names that it has. */
  readonly put: (file: StoredFile) => void;
}

/**
 * A store whose names are either digests of the content (`hash`: equal bytes, equal name, and a name finds its file
 * of any type and subfolder) or made of prefix and counter (`counter`).
 */
export const createFileStore = ({ fileNames }: Pick<Switches, 'fileNames'>): FileStore => {
  const files = new Map<string, StoredFile>();
  const keyOf = (file: FileDescriptor): string =>
    fileNames === 'hash' ? file.filename : [file.type, file.subfolder, file.filename].join('|');
  const keep = (file: StoredFile): FileDescriptor => {
    if (fileNames === 'counter' || files.get(keyOf(file))?.type !== 'input') files.set(keyOf(file), file);
    const { filename, subfolder, type } = file;
    return { filename, subfolder, type };
  };
  const save = ({ bytes, extension, prefix, type, name: given }: NewFile): FileDescriptor => {
    if (fileNames === 'hash')
      return keep({ filename: `${digest(bytes)}.${extension}`, subfolder: '', type, bytes });
    if (given !== undefined) return keep({ filename: given, subfolder: '', type, bytes });
    const { subfolder, name } = splitPath(prefix);
    const nameAt = (count: number): string => `${name}_${String(count + 1).padStart(5, '0')}_.${extension}`;
    const isFree = (file: StoredFile): boolean => !files.has(keyOf(file));
    return keep(firstThat(isFree, (count) => ({ filename: nameAt(count), subfolder, type, bytes })));
  };

  const upload = ({ bytes, filename, type, subfolder, overwrite }: Upload): FileDescriptor => {
    const { stem, extension } = splitExtension(filename);
    if (fileNames === 'hash')
      return keep({ filename: digest(bytes) + extension.toLowerCase(), subfolder, type, bytes });
    const nameAt = (count: number): string => (count === 0 ? filename : `${stem} (${count})${extension}`);
    const fits = (file: StoredFile): boolean => {
      const present = files.get(keyOf(file));
      return !present || overwrite || Buffer.compare(present.bytes, bytes) === 0;
    };
    return keep(firstThat(fits, (count) => ({ filename: nameAt(count), subfolder, type, bytes })));
  };

  const find: FileStore['find'] = (name, type, subfolder) => {
    const annotated = /^(.*) \[(output|input|temp)\]$/.exec(name);
    const path = splitPath(annotated?.[1] ?? name);
    const wanted = annotated?.[2] ?? type ?? 'input';
    if (fileNames === 'hash') return files.get(path.name);
    return files.get([wanted, subfolder ?? path.subfolder, path.name].join('|'));
  };

  const inputs = (): readonly string[] =>
    [...files.values()]
      .filter((file) => file.type === 'input')
      .map((file) => (file.subfolder && fileNames === 'counter' ? `${file.subfolder}/` : '') + file.filename);

  const top: FileStore['top'] = (type) =>
    [...files.values()]
      .filter((file) => file.type === type && file.subfolder === '')
      .map(({ filename }) => filename)
      .toReversed();

  const remove: FileStore['remove'] = (file) => void files.delete(keyOf(file));

  const all: FileStore['all'] = () => [...files.values()];
  const put: FileStore['put'] = (file) => void files.set(keyOf(file), file);

  return { save, upload, find, remove, inputs, top, all, put };
};

/** Counts up from 0 to the first file that fits. */
const firstThat = (
  fits: (file: StoredFile) => boolean,
  fileAt: (count: number) => StoredFile,
): StoredFile => {
  for (let count = 0; ; count += 1) {
    const file = fileAt(count);
    if (fits(file)) return file;
  }
};

const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const splitPath = (path: string): { readonly subfolder: string; readonly name: string } => {
  const at = path.lastIndexOf('/');
  return { subfolder: at < 0 ? '' : path.slice(0, at), name: path.slice(at + 1) };
};

const splitExtension = (filename: string): { readonly stem: string; readonly extension: string } => {
  const at = filename.lastIndexOf('.');
  // What holds a separator is a path, and no extension.
  return at < 1 || /[/\\]/u.test(filename.slice(at))
    ? { stem: filename, extension: '' }
    : { stem: filename.slice(0, at), extension: filename.slice(at) };
};

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
  ['opus', 'audio/ogg'],
  ['svg', 'image/svg+xml'],
  ['mp4', 'video/mp4'],
  ['webm', 'video/webm'],
  ['txt', 'text/plain; charset=utf-8'],
  ['md', 'text/markdown'],
  ['glb', 'model/gltf-binary'],
]);
