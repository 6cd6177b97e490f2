import { execFile } from 'node:child_process';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/**
 * Where the peers are installed: apart from benchmarks/, where the baselines would then find the peers' own copies of
 * ws before ours.
 */
export const peersRoot = new URL('../../temp/peers/', import.meta.url);

let missing: Promise<string | undefined> | undefined;

/** Installs the peers of benchmarks/package.json as its lock file says, once; resolves to why they are missing, if they are. */
export const peersMissing = (): Promise<string | undefined> => (missing ??= install());

const install = async (): Promise<string | undefined> => {
  const lock = await readFile(new URL('package-lock.json', benchmarks), 'utf8');
  if (lock === (await readFile(mark, 'utf8').catch(() => undefined))) return undefined;
  await mkdir(peersRoot, { recursive: true });
  for (const file of ['package.json', 'package-lock.json']) {
    await copyFile(new URL(file, benchmarks), new URL(file, peersRoot));
  }
  try {
    await promisify(execFile)('npm', ['ci', '--ignore-scripts', '--no-audit', '--fetch-retries=1'], {
      cwd: fileURLToPath(peersRoot),
      timeout: 180_000,
    });
  } catch (error) {
    const code = /npm error code (\w+)/.exec((error as { readonly stderr?: string }).stderr ?? '')?.[1];
    return `not measured: the peers could not be installed (${code ?? 'npm ci failed'})`;
  }
  await writeFile(mark, lock);
  return undefined;
};

const benchmarks = new URL('../', import.meta.url);

/** Holds the lock file that was installed to the end. */
const mark = new URL('node_modules/installed.json', peersRoot);
