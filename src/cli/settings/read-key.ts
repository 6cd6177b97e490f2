import { stat } from 'node:fs/promises';
import type { CliIo } from '../cli-io.js';
import { readText, type TextSource } from '../input/read-text.js';
import { UsageError } from '../usage-error.js';

/** Where a key may be. */
export type KeySource = TextSource & Pick<CliIo, 'env'>;

/** Finds the API key: `--key-file` first (`-` is standard input), then PROMPTWIRE_API_KEY, then PROMPTWIRE_API_KEY_FILE. */
export const readKey = async (source: KeySource, keyFile?: string): Promise<string | undefined> => {
  if (keyFile !== undefined) return fromFile(keyFile, source);
  const { PROMPTWIRE_API_KEY: key, PROMPTWIRE_API_KEY_FILE: file } = source.env;
  if (key !== undefined && key !== '') return usable(key.trim(), 'PROMPTWIRE_API_KEY');
  return file === undefined || file === '' ? undefined : fromFile(file, source);
};

const fromFile = async (file: string, source: TextSource): Promise<string> => {
  const content = await readText(file, source);
  if (file !== '-') await refuseOpenFile(file);
  return usable(content.trim(), file === '-' ? 'standard input' : file);
};

const refuseOpenFile = async (file: string): Promise<void> => {
  const { mode } = await stat(file);
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
    throw new UsageError(
      `others on this machine can read the key file ${file}; close it to them: chmod 600 ${file}`,
    );
  }
};

const usable = (key: string, source: string): string => {
  if (key === '') throw new UsageError(`${source} holds no key`);
  if (!/^[\x21-\x7E]+$/u.test(key)) throw new UsageError(`what ${source} holds is no key: a key is one word`);
  return key;
};
