import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { errorCode } from '../error-code.js';
import type { NodeDefinitions } from '../../workflow.js';
import { replaceFile } from '../replace-file.js';

/** How long node classes that an earlier command fetched are used. */
const keptMs = 10 * 60 * 1000;

/** The node classes of one service, which commands share by a file in the state folder. */
export interface DefinitionsCache {
  /** Undefined where there are none, or too old ones. */
  readonly read: () => Promise<NodeDefinitions | undefined>;
  /** Keeps them for later commands; a folder that can't be written keeps nothing. */
  readonly keep: (definitions: NodeDefinitions) => Promise<void>;
  /** Notes that the service gives none; false where an earlier command did so. */
  readonly noteAbsence: () => Promise<boolean>;
}

/** Opens the file of a service; its name is a hash of the address. */
export const definitionsCache = (folder: string, service: string): DefinitionsCache => {
  const name = createHash('sha256').update(service).digest('hex');
  const path = join(folder, 'definitions', `${name}.json`);
  return {
    read: async () => {
      try {
        const age = Date.now() - (await stat(path)).mtimeMs;
        if (age < 0 || age > keptMs) return undefined;
        const value: unknown = JSON.parse(await readFile(path, 'utf8'));
        return typeof value === 'object' && value !== null ? (value as NodeDefinitions) : undefined;
      } catch {
        return undefined;
      }
    },
    keep: async (definitions) => {
      const kept = mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await kept.then(() => replaceFile(path, JSON.stringify(definitions), 0o600)).catch(() => undefined);
    },
    noteAbsence: async () => {
      try {
        await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        await writeFile(join(folder, 'definitions', `${name}.none`), '', { flag: 'wx', mode: 0o600 });
        return true;
      } catch (error) {
        return errorCode(error) !== 'EEXIST';
      }
    },
  };
};
