import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** Each needs something that a checkout with its `node_modules` lacks: a program, or the package as npm installs it. */
const outside = ['bun', 'chromium', 'commonjs', 'deno', 'ffmpeg', 'pages', 'react', 'redis', 'typescript'];

/** What these tests load is loaded once for all of them: none of them replaces a module or leaves anything behind. */
const rooms =
  '{benchmarks,cli,codecs,conformance,dialects,emulator,endpoints,errors,events,files,fp,gateway,http,integration,interop,jobs,operators,platform,properties,protocol,queue,redaction,remote,sdk,simulation,socket,state,testing,workflow}';

export default defineConfig({
  test: {
    // One more than there are cores: some files mostly wait, for programs and for real sockets.
    maxWorkers: availableParallelism() + 1,
    globalSetup: './test/helpers/run-folder.ts',
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // A promise that nobody handles is a bug of the library, so it fails the run.
    dangerouslyIgnoreUnhandledErrors: false,
    restoreMocks: true,
    unstubGlobals: true,
    unstubEnvs: true,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: [`test/${rooms}/**/*.test.ts`],
          isolate: false,
          setupFiles: ['./test/helpers/own-prototypes.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'system',
          include: ['test/**/*.test.ts'],
          exclude: [`test/${rooms}/**`, 'test/outside/**'],
        },
      },
      ...outside.map((name) => ({
        extends: true as const,
        test: {
          name,
          include: [`test/outside/${name}{,-*}.test.ts`],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      })),
    ],
  },
});
