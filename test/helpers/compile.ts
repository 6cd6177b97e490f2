import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
const compiler = join(root, 'node_modules', '@typescript', 'native', 'bin', 'tsc');

/**
 * Compiles files as one project of this folder, by the strictest settings that a reader's project may have and by `options`, and
 * resolves with what is wrong, by file.
 */
export const compile = async (
  folder: string,
  files: readonly string[],
  options: Readonly<Record<string, unknown>> = {},
): Promise<ReadonlyMap<string, readonly string[]>> => {
  const project = join(folder, 'tsconfig.json');
  const compilerOptions = {
    ...{ noUnusedLocals: false, noUnusedParameters: false, exactOptionalPropertyTypes: true },
    ...options,
  };
  // What `include` lists would be compiled as well: the settings that this extends list every source and every test.
  const settings = { extends: join(root, 'tsconfig.json'), compilerOptions, files, include: [] };
  await writeFile(project, JSON.stringify(settings));
  const args = [compiler, '--project', project, '--pretty', 'false', '--singleThreaded'];
  const output = await new Promise<string>((resolve) => {
    const place = { cwd: folder, maxBuffer: 64 * 1024 * 1024 };
    execFile(process.execPath, args, place, (_, stdout) => resolve(stdout));
  });
  const problems = new Map<string, string[]>();
  for (const [, name = '', problem = ''] of output.matchAll(/^(\S.*?)\(\d+,\d+\): (.*(?:\n .*)*)/gmu)) {
    const file = resolve(folder, name);
    problems.set(file, [...(problems.get(file) ?? []), problem]);
  }
  return problems;
};
