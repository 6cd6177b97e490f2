import { addAbortSignal } from 'node:stream';
import { type CliIo, UsageError } from '../cli-io.js';
import { type LostNumber, lostNumbers } from './lost-numbers.js';
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';

/** What a JSON file holds, and what of it this program can't hold. */
export interface JsonFile {
  readonly value: unknown;
  readonly lost: readonly LostNumber[];
}

/** Reads a JSON file, or standard input for `-`. */
export const readJson = async (file: string, source: TextSource): Promise<JsonFile> => {
  const content = (await readText(file, source)).replace(/^\uFEFF/u, '');
  try {
    return { value: JSON.parse(content) as unknown, lost: lostNumbers(content) };
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${file === '-' ? 'standard input' : file} is not JSON: ${what}`);
  }
};

/** Where texts come from besides files, and what ends the wait for them. */
export interface TextSource extends Pick<CliIo, 'stdin'> {
  readonly stop: AbortSignal;
}

/** Reads a whole text file, or standard input for `-`. */
export const readText = async (file: string, { stdin, stop }: TextSource): Promise<string> => {
  if (file === '-') return text(addAbortSignal(stop, stdin));
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new UsageError(`can't read ${file}: ${reason(error)}`);
  }
};

const reason = (error: unknown): string => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
  return (
    { ENOENT: 'there is no such file', EACCES: 'permission denied', EISDIR: 'it is a folder' }[code] ?? code
  );
};
