import * as E from '../../protocol/either.js';
import type { Endpoint } from '../endpoint.js';
import { isJsonObject } from '../../protocol/json/json.js';
import { pathPart } from '../../protocol/path-part.js';

/** A file that the editor, or a program, keeps on an engine. */
export interface UserdataFile {
  /** Its path below the folder that was listed. */
  readonly path: string;
  /** Its size in bytes, where the engine tells it. */
  readonly size?: number;
  /** When it was changed, in milliseconds since 1970, where the engine tells it. */
  readonly modifiedAt?: number;
  /** When it was made, in milliseconds since 1970, where the engine tells it. */
  readonly createdAt?: number;
}

/** `GET /api/userdata`: the files of a folder (docs/protocol.md, chapter 11). */
export const listUserdataEndpoint = (folder: string, recurse = false): Endpoint<readonly UserdataFile[]> => ({
  method: 'GET',
  path: '/api/userdata',
  query: { dir: twiceEncoded(folder), recurse: String(recurse), split: 'false', full_info: 'true' },
  idempotency: 'always',
  read: readUserdataFiles,
});

/** `GET /api/userdata/{file}`: one of them; the answer is the file itself. */
export const readUserdataEndpoint = (file: string): Endpoint<string> => ({
  method: 'GET',
  path: pathOf(file),
  idempotency: 'always',
  read: () => E.left('the answer is a file'),
});

/** `POST /api/userdata/{file}`: the body is the file; 409 where it is there and may not be replaced. */
export const writeUserdataEndpoint = (file: string, content: string, overwrite = false): Endpoint<void> => ({
  method: 'POST',
  path: pathOf(file),
  query: { overwrite: String(overwrite) },
  json: content,
  // A second one that may not replace would be refused because of the first.
  idempotency: overwrite ? 'always' : 'caller',
  read: () => E.right(undefined),
});

/** `DELETE /api/userdata/{file}`. */
export const deleteUserdataEndpoint = (file: string): Endpoint<void> => ({
  method: 'DELETE',
  path: pathOf(file),
  idempotency: 'always',
  read: () => E.right(undefined),
});

/** A path is one part of the address, its slashes encoded. */
const pathOf = (file: string): string => `/api/userdata/${pathPart(twiceEncoded(file))}`;

/** An engine decodes a path with a percent sign once more than an address. */
const twiceEncoded = (path: string): string => path.replaceAll('%', '%25');

/** Reads a list of files; an older engine lists their paths alone. */
export const readUserdataFiles = (json: unknown): E.Either<string, readonly UserdataFile[]> =>
  Array.isArray(json)
    ? E.right(json.flatMap((file: unknown) => readFile(file)))
    : E.left('the answer is no list of files');

const readFile = (file: unknown): readonly UserdataFile[] => {
  if (typeof file === 'string') return [{ path: file }];
  if (!isJsonObject(file) || typeof file['path'] !== 'string') return [];
  const { path, size, modified, created } = file;
  return [
    {
      path,
      ...(typeof size === 'number' && { size }),
      ...(typeof modified === 'number' && { modifiedAt: modified }),
      ...(typeof created === 'number' && { createdAt: created }),
    },
  ];
};
