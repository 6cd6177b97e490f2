import { defineConfig } from 'vitest/config';

/** Each needs something that a checkout with its `node_modules` lacks: a program, or the package as npm installs it. */
const outside = ['bun', 'chromium', 'commonjs', 'deno', 'ffmpeg', 'react', 'typescript'];

export default defineConfig({
  test: {
    // The default leaves one core idle, which is half of a machine that has two.
    maxWorkers: '100%',
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // A promise that nobody handles is a bug of the library, so it fails the run.
    dangerouslyIgnoreUnhandledErrors: false,
    restoreMocks: true,
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: ['test/**/*.test.ts'], exclude: ['test/outside/**'] },
      },
      ...outside.map((name) => ({
        extends: true as const,
        test: {
          name,
          include: [`test/outside/${name}.test.ts`],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      })),
    ],
  },
});
