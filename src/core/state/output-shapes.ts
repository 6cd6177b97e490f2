import { isJsonObject } from '../protocol/json/json.js';

/** The file that a text or a descriptor names: what `view` takes of it. */
export interface NamedFile {
  readonly filename: string;
  readonly subfolder: string;
  readonly type: string;
  /** The folder where it lies on older engines: to be asked where `type` has no such file. */
  readonly otherType?: string;
}

/** Why something that a node told is neither a file, nor a text, nor data. */
export type UnreadReason = 'no file name' | 'no list element' | 'outside the folders' | 'no key';

/** What an element of a node's outputs is; undefined for data: numbers, flags, cameras, boxes. */
export type OutputShape =
  | { readonly is: 'file'; readonly file: NamedFile }
  | { readonly is: 'text'; readonly text: string }
  | { readonly is: 'unread'; readonly reason: UnreadReason }
  | undefined;

/**
 * Tells what an element under a key of a node's outputs is: every shape that nodes report stands here (docs/protocol.md, 8.11 to 8.20).
 *
 * | element | is |
 * |---|---|
 * | object with a text as `filename` | a file, under any key; a path in it goes to `subfolder`, an annotation to `type` |
 * | object that the jobs API made of a text | what that text is |
 * | object with another `filename`, or with a folder of files and no name | unread |
 * | text with the path of a model or picture, under `result` or `3d` | a file |
 * | such a text that leads out of the folders of the service | unread |
 * | any other text, under any key | a text |
 * | object or list that has a descriptor deeper within | unread |
 * | anything else | data |
 */
export const outputShape = (element: unknown, key: string): OutputShape => {
  if (typeof element === 'string') return shapeOfText(element, key);
  if (!isJsonObject(element)) return hasDescriptor(element) ? unread('no list element') : undefined;
  const { filename, subfolder, type } = element;
  if (typeof filename === 'string' && filename !== '') return shapeOfNamed(element, filename, key);
  if ('filename' in element || (folders.has(type) && typeof subfolder === 'string'))
    return unread('no file name');
  return hasDescriptor(Object.values(element)) ? unread('no list element') : undefined;
};

/** The elements of a value under a key: a list has its own, a text is one, also where the server sent its characters. */
export const elementsOf = (key: string, value: unknown): readonly unknown[] => {
  if (!Array.isArray(value)) return typeof value === 'string' ? [value] : [];
  const list: readonly unknown[] = value;
  const text = joinedText(list);
  return text !== undefined && (namesFilesByText(key) || textKeys.has(key)) ? [text] : list;
};

/** Whether a value that is neither a list nor a text has a descriptor, which nothing reads there. */
export const hidesDescriptor = (value: unknown): boolean => isJsonObject(value) && hasDescriptor(value);

/** The text that the jobs API made this object of; undefined for any other object. */
export const textOfJobsApi = ({
  filename,
  subfolder = '',
  mediaType,
}: Readonly<Record<string, unknown>>): string | undefined =>
  mediaType === '3d' && subfolder === '' && typeof filename === 'string' ? filename : undefined;

/** The text that a list of single characters spells, as servers send a text that they take for a list; undefined for other lists. */
export const joinedText = (list: readonly unknown[]): string | undefined =>
  list.length > 3 && list.every((element) => typeof element === 'string' && /^.$/su.test(element))
    ? list.join('')
    : undefined;

/** Of an object that names a file. */
const shapeOfNamed = (
  element: Readonly<Record<string, unknown>>,
  filename: string,
  key: string,
): OutputShape => {
  const text = textOfJobsApi(element);
  if (text !== undefined && (namesFilesByText(key) || textKeys.has(key))) return shapeOfText(text, key);
  const { subfolder, type, asset } = element;
  const sent = {
    filename,
    subfolder: typeof subfolder === 'string' ? subfolder : '',
    type: typeof type === 'string' && type !== '' ? type : 'output',
  };
  return { is: 'file', file: isJsonObject(asset) ? sent : withoutPath(sent) };
};

/** Keys under which nodes name files by bare texts; elsewhere a text is data, even where it ends like a file name. */
const namesFilesByText = (key: string): boolean => key === 'result' || key === '3d';

/** Keys of texts: what the jobs API makes of a text there is no file. */
const textKeys: ReadonlySet<string> = /* @__PURE__ */ new Set(['text', 'string', 'tags']);

const folders: ReadonlySet<unknown> = /* @__PURE__ */ new Set(['output', 'temp', 'input']);

const unread = (reason: UnreadReason): OutputShape => ({ is: 'unread', reason });

const shapeOfText = (text: string, key: string): OutputShape => {
  if (!namesFilesByText(key) || text.length > maxLength) return { is: 'text', text };
  const [path, annotation] = annotated(text);
  if (!hasExtension.test(path) || /[\r\n\0]/u.test(path)) return { is: 'text', text };
  if (isOutside.test(path)) return unread('outside the folders');
  return { is: 'file', file: fileAt(path, annotation) };
};

/**
 * The folder is what an annotation says (`x.glb [temp]`), what the path begins with (`temp/x.png`), `temp` for the names that preview
 * nodes give, and older engines keep in `output`, else `output`.
 */
const fileAt = (path: string, annotation: string | undefined): NamedFile => {
  const { filename, subfolder } = splitPath(path);
  if (annotation !== undefined) return { filename, subfolder, type: annotation };
  const [top = '', ...below] = subfolder.split('/');
  if (top === 'temp') return { filename, subfolder: below.join('/'), type: 'temp' };
  return isPreview.test(filename)
    ? { filename, subfolder, type: 'temp', otherType: 'output' }
    : { filename, subfolder, type: 'output' };
};

/** `view` takes the last part of a name only: the path before it belongs to the subfolder. */
const withoutPath = (file: NamedFile): NamedFile => {
  const [path, annotation] = annotated(file.filename);
  const type = annotation ?? file.type;
  if (!/[/\\]/u.test(path) || isOutside.test(path)) return { ...file, filename: path, type };
  const { filename, subfolder } = splitPath(path);
  return { filename, subfolder: [file.subfolder, subfolder].filter((part) => part !== '').join('/'), type };
};

const annotated = (text: string): readonly [path: string, folder: string | undefined] => {
  const [, path = text, folder] = /^(.*) \[(output|input|temp)\]$/su.exec(text) ?? [];
  return [path, folder];
};

const splitPath = (path: string): Pick<NamedFile, 'filename' | 'subfolder'> => {
  const parts = path.split(/[/\\]/u);
  const filename = parts.pop() ?? '';
  return { filename, subfolder: parts.join('/') };
};

/** Whether a descriptor stands in a value, at most so many levels deep. */
const hasDescriptor = (value: unknown, levels = 4): boolean => {
  if (levels === 0 || typeof value !== 'object' || value === null) return false;
  if (!Array.isArray(value) && typeof (value as { filename?: unknown }).filename === 'string') return true;
  return Object.values(value).some((inner) => hasDescriptor(inner, levels - 1));
};

/** Longer than any path that a file system takes. */
const maxLength = 4_096;

const hasExtension = /[^/\\]\.(?:glb|gltf|obj|fbx|usdz|stl|ply|splat|ksplat|spz|png|jpe?g|webp)$/iu;

/** Absolute paths, drives, addresses and steps upwards name nothing that `view` serves. */
const isOutside = /^[/\\]|^[a-z]+:|(?:^|[/\\])\.\.(?:[/\\]|$)/iu;

const isPreview = /^preview_?(?:3d_advanced|splat|pointcloud)_[0-9a-f]{32}\./iu;
