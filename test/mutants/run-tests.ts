import { join } from 'node:path';
import type { TestProjectInlineConfiguration } from 'vitest/config';
import { startVitest, type TestModule, type Vite } from 'vitest/node';
import { mutants } from './list/index.js';
import type { ByTest, Mutant } from './mutant.js';
import { plant } from './plant.js';

type Plugin = Vite.Plugin;
type MutantOfTest = Mutant & { readonly caughtBy: ByTest };

/** In a process of its own: runs the tests that guard the mutants named, with and without them, and writes which failed. */
const main = async (ids: readonly string[]): Promise<void> => {
  const root = join(import.meta.dirname, '..', '..');
  const chosen = mutants.filter(
    (mutant): mutant is MutantOfTest => ids.includes(mutant.id) && 'test' in mutant.caughtBy,
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
      ...chosen.map((mutant) => project(mutant.id, [mutant.caughtBy.test], [loading(root, mutant)])),
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

const loading = (root: string, mutant: Mutant): Plugin => {
  const { file, text } = plant(mutant);
  return {
    name: 'mutant',
    enforce: 'pre',
    load: (id: string) => (id.split('?')[0] === join(root, file) ? text : undefined),
  };
};

const failuresOf = (module: TestModule): readonly string[] => [
  ...module.errors().map(({ message }) => `the file: ${message}`),
  ...[...module.children.allTests('failed')].map(({ fullName }) => fullName),
];

await main(process.argv.slice(2));
