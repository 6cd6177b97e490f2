import { mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { startVitest, type TestModule } from 'vitest/node';
import { bundleProgram } from '../helpers/bundle-program.js';
import { mutants } from './list/index.js';
import { mutatedFiles } from './mutated-files.js';
import type { ByTest, Mutant } from './mutant.js';
import { plant } from './plant.js';

type MutantOfTest = Mutant & { readonly caughtBy: ByTest };

/** A file of tests in one piece with the source that it tests. */
interface Bundle {
  /** The id of the mutant in it, or `as it is`. */
  readonly name: string;
  readonly test: string;
  readonly mutant?: Mutant;
}

/**
 * In a process of its own: runs the tests that guard the mutants named, with and without them, and writes which failed.
 *
 * Each file of tests is bundled with its mutant before: Vitest would read hundreds of files anew for each mutant.
 */
const main = async (ids: readonly string[]): Promise<void> => {
  const root = join(import.meta.dirname, '..', '..');
  const chosen = mutants.filter(
    (mutant): mutant is MutantOfTest => ids.includes(mutant.id) && 'test' in mutant.caughtBy,
  );
  const bundles: readonly Bundle[] = [
    ...[...new Set(chosen.map(({ caughtBy }) => caughtBy.test))].map((test) => ({ name: 'as it is', test })),
    ...chosen.map((mutant) => ({ name: mutant.id, test: mutant.caughtBy.test, mutant })),
  ];
  const folder = join(root, 'temp', `mutants-${process.pid}`);
  await mkdir(folder, { recursive: true });
  try {
    await Promise.all(
      bundles.map(async (bundle, index) =>
        writeFile(join(folder, fileOf(index)), await textOf(root, bundle)),
      ),
    );
    const vitest = await startVitest('test', [], {
      root: folder,
      config: false,
      watch: false,
      reporters: [{}],
      maxWorkers: 3,
      include: bundles.map((_, index) => fileOf(index)),
      // A mutant may leave a test waiting for ever.
      testTimeout: 10_000,
    });
    const failed: Record<string, string[]> = Object.fromEntries(bundles.map(({ name }) => [name, []]));
    for (const module of vitest.state.getTestModules())
      failed[bundles[indexOf(module)]!.name]!.push(...failuresOf(module));
    await vitest.close();
    process.stdout.write(JSON.stringify(failed));
  } finally {
    await rm(folder, { recursive: true });
  }
  process.exitCode = 0;
};

const fileOf = (index: number): string => `${index}.test.mjs`;

const indexOf = ({ moduleId }: TestModule): number => Number.parseInt(basename(moduleId), 10);

const textOf = (root: string, { test, mutant }: Bundle): Promise<string> => {
  const mutated = mutant && plant(mutant);
  return bundleProgram(join(root, test), {
    plugins: mutated === undefined ? [] : [mutatedFiles([mutated])],
    holds: mutated?.file,
  });
};

const failuresOf = (module: TestModule): readonly string[] => [
  ...module.errors().map(({ message }) => `the file: ${message}`),
  ...[...module.children.allTests('failed')].map(({ fullName }) => fullName),
];

await main(process.argv.slice(2));
