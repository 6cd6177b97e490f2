import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import type { DurationStore } from '../node.js';
import { mkdir, readFile } from 'node:fs/promises';
import { replaceFile } from './replace-file.js';

/** What the jobs of one service took, which commands share by a file in the state folder; its name is a hash of the address. */
export const durationsFile = (folder: string, service: string): DurationStore => {
  const name = createHash('sha256').update(service).digest('hex');
  const path = join(folder, 'durations', `${name}.json`);
  return {
    read: () => readFile(path, 'utf8'),
    write: async (text) => {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await replaceFile(path, text, 0o600);
    },
  };
};
