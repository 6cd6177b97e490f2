import { UsageError } from '../usage-error.js';
import { readText, type TextSource } from './read-text.js';

/** Reads a JSON file, or standard input for `-`. */
export const readJson = async (file: string, source: TextSource): Promise<unknown> => {
  const content = await readText(file, source);
  try {
    return JSON.parse(content.replace(/^\uFEFF/u, '')) as unknown;
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${file === '-' ? 'standard input' : file} is not JSON: ${what}`);
  }
};
