import { UsageError } from '../usage-error.js';
import { type LostNumber, lostNumbers } from './lost-numbers.js';
import { readText, type TextSource } from './read-text.js';

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
