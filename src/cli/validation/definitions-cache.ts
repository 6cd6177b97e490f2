import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { errorCode } from '../error-code.js';
import type { NodeDefinitions } from '../../workflow.js';
import { replaceFile } from '../replace-file.js';
import type { Settings } from '../settings.js';

/** How long node classes that an earlier command fetched are used. */
const keptMs = 10 * 60 * 1000;

/** The node classes of one service, which commands share by a file in the state folder. */
export interface DefinitionsCache {
  /** Undefined if nothing is cached, or only what is too old. */
  readonly read: () => Promise<NodeDefinitions | undefined>;
  /** Keeps them for later commands; a folder that can't be written keeps nothing. */
  readonly keep: (definitions: NodeDefinitions) => Promise<void>;
  /** Notes that the service gives none; false if an earlier command did so. */
  readonly noteAbsence: () => Promise<boolean>;
}

/** Opens the file of an account at a service: lists of models are an account's own. Its name is a hash that tells no key. */
export const definitionsCache = (
  folder: string,
  { dialect, baseUrl, apiKey, workspace, headers }: Settings,
): DefinitionsCache => {
  const account = JSON.stringify([dialect, baseUrl, apiKey, workspace, headers]);
  const name = createHash('sha256').update(account).digest('hex');
  const path = join(folder, 'definitions', `${name}.json`);
  return {
    read: async () => {
      try {
        const age = Date.now() - (await stat(path)).mtimeMs;
        // Clocks of disks are finer than Date.now(): what was written just now may seem to come a moment later.
        if (age < -1_000 || age > keptMs) return undefined;
        const value: unknown = JSON.parse(await readFile(path, 'utf8'));
        return typeof value === 'object' && value !== null ? (value as NodeDefinitions) : undefined;
      } catch {
        return undefined;
      }
    },
    keep: async (definitions) => {
      const kept = mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await kept
        .then(() => removeOld(dirname(path)))
        .then(() => replaceFile(path, JSON.stringify(definitions), 0o600))
        .catch(() => undefined);
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

/** Each key has a file, so that keys which change would fill the folder. */
const removeOld = async (folder: string): Promise<void> => {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json'));
  for (const path of names.map((name) => join(folder, name)))
    if (Date.now() - (await stat(path)).mtimeMs > keptMs) await rm(path, { force: true });
};
