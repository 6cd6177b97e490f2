import { execFile } from 'node:child_process';
import { copyFile, cp, link, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inject, vi } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const run = promisify(execFile);

/** A project of a user, with the package and what that depends on, and nothing else, in its `node_modules`. */
export interface Consumer extends AsyncDisposable {
  readonly folder: string;
  /** Writes a file of the project, and resolves with its path. */
  readonly write: (name: string, content: string) => Promise<string>;
}

/**
 * Makes a project of a user, with the package as the run has built it; it needs no network.
 *
 * With `types` the package has its declarations, and the project those of Node.js and an fp-ts of its own.
 */
export const consumer = async ({ types = false } = {}): Promise<Consumer> => {
  const folder = await mkdtemp(join(tmpdir(), 'consumer-'));
  const own = join(folder, 'node_modules', 'promptwire');
  await cp(join(root, 'package.json'), join(own, 'package.json'));
  const dist = join(own, 'dist');
  await linkFolder(join(inject('builtPackage'), 'dist'), dist);
  const { files } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { files: string[] };
  // What npm would pack besides; the pictures of the docs are in no program.
  for (const name of files.filter((one) => one !== 'dist' && !one.includes('*')))
    await placed(join(root, name), join(own, name));
  if (types) await linkFolder(await declarations(), dist);
  for (const name of [
    ...(await needed(root)),
    ...(types ? ['@types/node', '@types/ws', 'undici-types', 'fp-ts-oldest'] : []),
  ]) {
    await linkFolder(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  }
  const write: Consumer['write'] = async (name, content) => {
    await writeFile(join(folder, name), content);
    return join(folder, name);
  };
  await write('package.json', JSON.stringify({ name: 'consumer', private: true, type: 'module' }));
  return { folder, write, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
};

/** The folder of the package's declarations. To roll them up takes long: the first test that asks does it for the run, and others wait. */
const declarations = async (): Promise<string> => {
  const folder = join(inject('builtPackage'), 'declarations');
  const outcome = join(inject('builtPackage'), 'declared');
  const isFirst = await mkdir(folder).then(
    () => true,
    () => false,
  );
  if (isFirst) {
    const rolledUp = run(process.execPath, [join(root, 'scripts', 'declarations.mjs'), folder]);
    await writeFile(outcome, await rolledUp.then(() => 'ok', String));
  }
  const said = await vi.waitFor(() => readFile(outcome, 'utf8'), { timeout: 240_000, interval: 100 });
  if (said !== 'ok') throw new Error(said);
  return folder;
};

/** Makes a folder of the same files, as hard links where the file system has them: to copy thousands takes seconds. */
export const linkFolder = async (from: string, to: string): Promise<void> => {
  await mkdir(to, { recursive: true });
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) await linkFolder(source, target);
    else await linkFile(source, target);
  }
};

const linkFile = (from: string, to: string): Promise<void> => link(from, to).catch(() => copyFile(from, to));

/** Puts a file or a folder of the repository into the package. */
const placed = async (from: string, to: string): Promise<void> =>
  (await stat(from)).isDirectory() ? linkFolder(from, to) : linkFile(from, to);

/** The packages that a package declares, and those that they declare. */
const needed = async (package_: string): Promise<ReadonlySet<string>> => {
  const { dependencies, peerDependencies } = JSON.parse(
    await readFile(join(package_, 'package.json'), 'utf8'),
  ) as Readonly<Record<'dependencies' | 'peerDependencies', Readonly<Record<string, string>> | undefined>>;
  const names = Object.keys({ ...dependencies, ...(package_ === root && peerDependencies) });
  const theirs = await Promise.all(names.map((name) => needed(join(root, 'node_modules', name))));
  return new Set([...names, ...theirs.flatMap((more) => [...more])]);
};
