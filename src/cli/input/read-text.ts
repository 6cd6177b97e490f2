import { readFile } from 'node:fs/promises';
import { addAbortSignal } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { CliIo } from '../cli-io.js';
import { UsageError } from '../usage-error.js';

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
