import type { Reporter, Vitest } from 'vitest/node';

/**
 * Says in one line which projects a run left out that named its projects, as `npm test` does, and how to play them; says nothing
 * of a run of all projects.
 */
export const leftOut = (all: readonly string[], programs: readonly string[]): Reporter => {
  let vitest: Vitest | undefined;
  return {
    onInit: (started) => {
      vitest = started;
    },
    onTestRunEnd: () => {
      if (vitest === undefined) return;
      const played = new Set(vitest.projects.map(({ name }) => name));
      const missing = all.filter((name) => !played.has(name));
      if (missing.length === 0) return;
      const own = missing.filter((name) => !programs.includes(name));
      const others = missing.filter((name) => programs.includes(name));
      const parts = [
        own.join(', '),
        ...(others.length === 0 ? [] : [`what starts a program from outside npm (${others.join(', ')})`]),
      ];
      vitest.logger.log(
        `   Left out: ${parts.filter((part) => part !== '').join(', and ')}. \`npm run test:all\` plays all.\n`,
      );
    },
  };
};
