import type { OutputFile } from '../../src/core/state/output-files.js';
import { startChild } from './child.js';

/** A service in a process of its own, whose storage has one file. */
export interface Storage {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly file: OutputFile;
  /** From now on the file has so many bytes, which the storage declares. */
  readonly resize: (bytes: number) => Promise<void>;
  readonly end: () => Promise<void>;
}

export const startStorage = async (bytes: number): Promise<Storage> => {
  const child = startChild('storage');
  const { baseUrl, apiKey, file } = await child.ask<Pick<Storage, 'baseUrl' | 'apiKey' | 'file'>>(bytes);
  return { baseUrl, apiKey, file, resize: (size) => child.ask(size), end: child.end };
};
