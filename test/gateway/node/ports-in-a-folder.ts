import { filePorts, type FilePortsOptions } from '../../../src/gateway-node.js';
import { join } from 'node:path';
import { mkdtemp, rm } from 'node:fs/promises';
import { onTestFinished } from 'vitest';
import { tmpdir } from 'node:os';

/** A new folder, which is gone after the test. */
export const newFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'promptwire-ports-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
};

/** Opens ports in folders by name, each of which closes all of its folder. */
export const namedFolders =
  (root: string) =>
  (name: string, options: FilePortsOptions = {}) =>
    filePorts(join(root, name), { sync: false, ...options });
