import { strToU8, Zip, ZipPassThrough } from 'fflate';
import type { Item } from './gallery.js';
import type { Outputs } from './outputs.js';

/**
 * Puts results into one file, one after the other, with names that no two of them share; pictures and films are compressed already.
 *
 * @param onFile - Called with how many are in.
 */
export const zipOutputs = async (
  items: readonly Item[],
  outputs: Pick<Outputs, 'of'>,
  onFile: (done: number) => void,
): Promise<Blob> => {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const missing: string[] = [];
  const taken = new Set<string>();
  const zip = new Zip((error, chunk) => {
    if (error !== null) throw error;
    parts.push(chunk);
  });
  const put = (name: string, bytes: Uint8Array<ArrayBuffer>): void => {
    const file = new ZipPassThrough(ownName(name, taken));
    zip.add(file);
    file.push(bytes, true);
  };
  for (const [at, item] of items.entries()) {
    const blob = await outputs.of(item).then((output) => output?.blob());
    if (blob === undefined) missing.push(item.filename);
    else put(item.filename, new Uint8Array(await blob.arrayBuffer()));
    onFile(at + 1);
  }
  if (missing.length > 0) put('missing.txt', strToU8(missing.join('\n')));
  zip.end();
  return new Blob(parts, { type: 'application/zip' });
};

/** A name within the archive: no folders of its own, and no name twice. */
const ownName = (filename: string, taken: Set<string>): string => {
  const plain = filename.replaceAll(/[/\\:*?"<>|\p{Cc}]/gu, '_').replace(/^\.+/u, '_');
  const [, stem = plain, ending = ''] = /^(.*?)(\.[^.]+)?$/su.exec(plain) ?? [];
  let name = plain;
  for (let count = 2; taken.has(name.toLowerCase()); count += 1) name = `${stem}-${count}${ending}`;
  taken.add(name.toLowerCase());
  return name;
};
