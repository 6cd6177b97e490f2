import type { Command } from 'commander';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { type CommonFlags, type RunCommand, type Session } from '../run-command.js';
import type { ExitName } from '../exit-code.js';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { UsageError } from '../cli-io.js';
import { packageRoot, version } from '../package-root.js';
import { withJson } from './common-options.js';

/** Adds `promptwire init`. */
export const addInit = (program: Command, runCommand: RunCommand): void => {
  withJson(program.command('init'))
    .argument('[dir]', 'the folder of the project; default this one')
    .description(
      'Write a small TypeScript project: a script, a page with its server, a batch and a test. It runs at once, against an emulator.',
    )
    .action((dir: string | undefined, flags: CommonFlags) =>
      runCommand(flags, (session) => init(session, dir ?? '.')),
    );
};

/** The files of the project, as the package has them. */
const source = fileURLToPath(new URL('template', packageRoot));

const init = async ({ report }: Session, dir: string): Promise<ExitName> => {
  const folder = resolve(dir);
  await mkdir(folder, { recursive: true }).catch((cause: unknown) => {
    throw new UsageError(`${dir} can't be made: ${String(cause)}`);
  });
  const files = await filesBelow(source);
  const present = new Set(await readdir(folder));
  const taken = files.map(nameIn).filter((name) => present.has(name.split('/')[0] ?? name));
  if (taken.length > 0)
    throw new UsageError(
      `${dir} has ${taken[0] ?? ''} already; init writes over nothing: take an empty folder`,
    );
  for (const file of files) {
    const path = join(folder, nameIn(file));
    await mkdir(dirname(path), { recursive: true });
    const text = (await readFile(join(source, file), 'utf8'))
      .replaceAll('{{name}}', projectName(folder))
      .replaceAll('{{version}}', version());
    await writeFile(path, text);
    report({ kind: 'program', text, path: relative(process.cwd(), path) });
  }
  return 'done';
};

/** The name in the project: npm publishes no `.gitignore`, and a second `package.json` and `tsconfig.json` would count in the package. */
const nameIn = (file: string): string => (file === '_gitignore' ? '.gitignore' : file.replace(/^_/u, ''));

const filesBelow = async (folder: string): Promise<readonly string[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .toSorted();
};

/** What npm takes for a name. */
const projectName = (folder: string): string =>
  basename(folder)
    .toLowerCase()
    .replace(/[^a-z0-9-]+/gu, '-')
    .replace(/^-+|-+$/gu, '') || 'pictures';
