import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // A promise that nobody handles is a bug of the library, so it fails the run.
    dangerouslyIgnoreUnhandledErrors: false,
    restoreMocks: true,
  },
});
