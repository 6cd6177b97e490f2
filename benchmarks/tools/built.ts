import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = new URL('../../', import.meta.url);

/** Bundles the package as it is published, into a folder that nobody else uses. */
export const buildPackage = async (): Promise<URL> => {
  const folder = new URL('temp/benchmarks/', root);
  const script = fileURLToPath(new URL('scripts/build.mjs', root));
  await promisify(execFile)(process.execPath, [script, fileURLToPath(folder)]);
  return folder;
};
