import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestProjectInlineConfiguration } from 'vitest/config';
import { startVitest, type TestModule, type Vite } from 'vitest/node';
import { applyPatch } from './apply-patch.js';
import type { ByTest, Patch } from './patch.js';
import { patches } from './patches/index.js';

type Plugin = Vite.Plugin;
type PatchOfTest = Patch & { readonly caughtBy: ByTest };

/** In a process of its own: runs the tests that guard the patches named, with and without them, and writes who failed. */
const main = async (ids: readonly string[]): Promise<void> => {
  const root = join(import.meta.dirname, '..', '..');
  const chosen = patches.filter(
    (patch): patch is PatchOfTest => ids.includes(patch.id) && 'test' in patch.caughtBy,
  );
  const project = (
    name: string,
    include: readonly string[],
    plugins: readonly Plugin[],
  ): TestProjectInlineConfiguration => ({
    root,
    plugins: [...plugins],
    test: { name, include: [...include], testTimeout: 30_000, root },
  });
  const vitest = await startVitest('test', [], {
    root,
    config: false,
    watch: false,
    reporters: [{}],
    maxWorkers: 3,
    projects: [
      project('as it is', [...new Set(chosen.map(({ caughtBy }) => caughtBy.test))], []),
      ...chosen.map((patch) => project(patch.id, [patch.caughtBy.test], [patching(root, patch)])),
    ],
  });
  const failed: Record<string, string[]> = Object.fromEntries(
    ['as it is', ...chosen.map(({ id }) => id)].map((name) => [name, []]),
  );
  for (const module of vitest.state.getTestModules())
    failed[module.project.name]!.push(...failuresOf(module));
  await vitest.close();
  process.stdout.write(JSON.stringify(failed));
  process.exitCode = 0;
};

/** Throws for a place that is not there, which fails the whole file; the caller tells that from a failed test. */
const patching = (root: string, patch: Patch): Plugin => ({
  name: 'patch',
  enforce: 'pre',
  load: async (id: string) =>
    id.split('?')[0] === join(root, patch.file)
      ? applyPatch(await readFile(join(root, patch.file), 'utf8'), patch)
      : undefined,
});

const failuresOf = (module: TestModule): readonly string[] => [
  ...module.errors().map(({ message }) => `the file: ${message}`),
  ...[...module.children.allTests('failed')].map(({ fullName }) => fullName),
];

await main(process.argv.slice(2));
