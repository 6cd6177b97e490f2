import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** Each needs something that a checkout with its `node_modules` lacks: a program, or the package as npm installs it. */
const outside = ['bun', 'chromium', 'commonjs', 'deno', 'ffmpeg', 'pages', 'react', 'redis', 'typescript'];

/** Each puts something in the place of a module, which nobody else may find there. */
const mocked = ['test/full-disk.test.ts', 'test/unbounded-buffer.test.ts'];

/** The files that take long: projects run by the order of their names, and these begin before `unit`. */
const system = ['test/{docs,mutants,mutation,package,scoreboard}/**/*.test.ts', 'test/recipes.test.ts'];

/** What most tests load is loaded once for all of them: none of them replaces a module or leaves anything behind. */
const isolate = false;

export default defineConfig({
  test: {
    // One more than there are cores: some files mostly wait, for programs and for real sockets.
    maxWorkers: availableParallelism() + 1,
    globalSetup: './test/helpers/run-folder.ts',
    setupFiles: ['./test/helpers/own-prototypes.ts', './test/helpers/close-after-file.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // A promise that nobody handles is a bug of the library, so it fails the run.
    dangerouslyIgnoreUnhandledErrors: false,
    restoreMocks: true,
    unstubGlobals: true,
    unstubEnvs: true,
    projects: [
      { extends: true, test: { name: 'mocked', include: mocked } },
      { extends: true, test: { name: 'system', include: system, isolate } },
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [...system, ...mocked, 'test/outside/**', 'test/**/*.redis.test.ts'],
          isolate,
        },
      },
      ...outside.map((name) => ({
        extends: true as const,
        test: {
          name,
          include: [`test/outside/${name}{,-*}.test.ts`, `test/**/*.${name}.test.ts`],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      })),
    ],
  },
});
