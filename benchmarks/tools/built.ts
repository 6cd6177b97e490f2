import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = new URL('../../', import.meta.url);

/** Compiles the package as it is published, into a folder that nobody else uses. */
export const buildPackage = async (): Promise<URL> => {
  const folder = new URL('temp/benchmarks/', root);
  const compiler = fileURLToPath(new URL('node_modules/.bin/tsc', root));
  await promisify(execFile)(
    compiler,
    ['-p', 'tsconfig.build.json', '--noCheck', '--outDir', fileURLToPath(folder)],
    {
      cwd: fileURLToPath(root),
    },
  );
  return folder;
};
