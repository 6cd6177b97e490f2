import { empty, localJson, plain } from '../local-http.js';
import { foldersOf, isHidden, pathInUser } from '../user-path.js';
import type { LocalHandler, LocalRequest } from '../local-service.js';
import type { Answer } from '../../http/answer.js';
import type { UserFile } from '../user-file.js';
import { BodyTooLarge } from '../../http/request.js';

/** `GET /userdata`: the files of a folder, as paths, in parts with `split`, or with sizes and times with `full_info`. */
export const listUserdata: LocalHandler = ({ service: { userdata, userFolders }, query }) => {
  const dir = query.get('dir') ?? '';
  if (dir === '') return plain(400, 'Directory not provided');
  const folder = pathInUser(dir);
  if (folder === undefined) return plain(403, 'Invalid directory');
  const prefix = folder === '' ? '' : `${folder}/`;
  const below = [...userdata].flatMap(([path, file]) =>
    path.startsWith(prefix) ? [{ path: path.slice(prefix.length), file }] : [],
  );
  if (below.length === 0 && folder !== '' && !userFolders.has(folder))
    return plain(404, 'Directory not found');
  const listed = below.filter(
    ({ path }) => !isHidden(path) && (isTrue(query.get('recurse')) || !path.includes('/')),
  );
  if (isTrue(query.get('full_info'))) return localJson(listed.map(({ path, file }) => infoOf(path, file)));
  const isSplit = isTrue(query.get('split'));
  return localJson(listed.map(({ path }) => (isSplit ? [path, ...path.split('/')] : path)));
};

/** `GET /userdata/{file}`: the file as it is. */
export const readUserdata: LocalHandler = (request) =>
  withPath(request, (path) => {
    const file = request.service.userdata.get(path);
    if (file === undefined) return empty(404);
    return { status: 200, headers: { 'content-type': kindOf(path) }, body: Buffer.from(file.bytes) };
  });

/** `POST /userdata/{file}`: keeps the body; 409 where `overwrite=false` and there is one. */
export const writeUserdata: LocalHandler = (request) =>
  withPath(request, async (path) => {
    const { service, query } = request;
    const bytes = await request.body(service.settings.switches.maxPromptBytes);
    if (bytes instanceof BodyTooLarge) throw bytes;
    const before = service.userdata.get(path);
    if (before !== undefined && query.get('overwrite') === 'false') return plain(409, 'File already exists');
    const now = service.clock.now();
    const file = { bytes, createdAt: before?.createdAt ?? now, modifiedAt: now };
    service.userdata.set(path, file);
    for (const folder of foldersOf(path)) service.userFolders.add(folder);
    return localJson(isTrue(query.get('full_info')) ? infoOf(path, file) : path);
  });

/** `DELETE /userdata/{file}`. */
export const deleteUserdata: LocalHandler = (request) =>
  withPath(request, (path) =>
    request.service.userdata.delete(path) ? { status: 204, headers: {} } : empty(404),
  );

/** `POST /userdata/{file}/move/{dest}`: another name for a file. */
export const moveUserdata: LocalHandler = (request) =>
  withPath(request, (path) => {
    const { service, query, params } = request;
    const to = pathInUser(params[1] ?? '');
    if (to === undefined || to === '') return empty(403);
    const file = service.userdata.get(path);
    if (file === undefined) return empty(404);
    if (service.userdata.has(to) && query.get('overwrite') === 'false')
      return plain(409, 'File already exists');
    service.userdata.delete(path);
    service.userdata.set(to, file);
    for (const folder of foldersOf(to)) service.userFolders.add(folder);
    return localJson(isTrue(query.get('full_info')) ? infoOf(to, file) : to);
  });

const withPath = (
  { params: [file = ''] }: LocalRequest,
  answer: (path: string) => Answer | Promise<Answer>,
): Answer | Promise<Answer> => {
  if (file === '') return empty(400);
  const path = pathInUser(file);
  return path === undefined || path === '' ? empty(403) : answer(path);
};

const infoOf = (path: string, { bytes, createdAt, modifiedAt }: UserFile) => ({
  path,
  size: bytes.length,
  modified: modifiedAt,
  created: createdAt,
});

const isTrue = (value: string | null): boolean => value?.toLowerCase() === 'true';

const kindOf = (path: string): string =>
  path.endsWith('.json')
    ? 'application/json'
    : path.endsWith('.txt')
      ? 'text/plain'
      : 'application/octet-stream';
