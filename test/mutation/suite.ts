import { expect, expectTypeOf, vi } from 'vitest';

type Run = (...args: readonly unknown[]) => unknown;

interface Suite {
  readonly name: string;
  readonly items: (Suite | Test)[];
  readonly hooks: Record<'beforeAll' | 'afterAll' | 'beforeEach' | 'afterEach', Run[]>;
}

interface Test {
  readonly name: string;
  readonly run: Run;
}

/** What a test file imports of vitest, and how its tests are played: one after the other, until the first fails. */
export interface Playground {
  readonly vitest: object;
  /** The name of the test that failed. */
  readonly play: (load: () => Promise<unknown>) => Promise<string | undefined>;
}

/**
 * Vitest's words for the play of one test file, without its reports, workers and module graph: with those a mutant takes a
 * second, not some milliseconds. `expect` and `vi` are vitest's own.
 */
export const playground = (): Playground => {
  let current = suiteOf('');
  let finishing: Run[] = [];
  const describe = (name: string, body: Run): void => {
    const suite = suiteOf(name);
    current.items.push(suite);
    const outer = current;
    current = suite;
    body();
    current = outer;
  };
  const it = (name: string, run: Run): void => void current.items.push({ name, run });
  const each =
    (add: (name: string, run: Run) => void) =>
    (cases: readonly unknown[]) =>
    (name: string, run: Run): void => {
      // Only cases that are all lists are lists of arguments.
      const isTable = cases.every((one) => Array.isArray(one));
      for (const [index, one] of cases.entries())
        add(`${name} #${index + 1}`, () => (isTable ? run(...(one as readonly unknown[])) : run(one)));
    };
  const hook =
    (kind: keyof Suite['hooks']) =>
    (run: Run): void =>
      void current.hooks[kind].push(run);

  const playSuite = async (suite: Suite, outer: readonly Suite[]): Promise<string | undefined> => {
    const path = [...outer, suite];
    try {
      for (const run of suite.hooks.beforeAll) await run();
      for (const item of suite.items) {
        const failed = 'items' in item ? await playSuite(item, path) : await playTest(item, path);
        if (failed !== undefined) return failed;
      }
      return undefined;
    } finally {
      for (const run of suite.hooks.afterAll) await run();
    }
  };

  const playTest = async ({ name, run }: Test, path: readonly Suite[]): Promise<string | undefined> => {
    const fullName = [...path.map((suite) => suite.name), name].filter((part) => part !== '').join(' > ');
    finishing = [];
    try {
      try {
        for (const { hooks } of path) for (const before of hooks.beforeEach) await before();
        await run();
      } finally {
        for (const { hooks } of path.toReversed()) for (const after of hooks.afterEach) await after();
        for (const finish of finishing.toReversed()) await finish();
        vi.restoreAllMocks();
      }
      return undefined;
    } catch {
      return fullName;
    }
  };

  return {
    vitest: {
      describe: Object.assign(describe, { each: each(describe) }),
      it: Object.assign(it, { each: each(it) }),
      beforeAll: hook('beforeAll'),
      afterAll: hook('afterAll'),
      beforeEach: hook('beforeEach'),
      afterEach: hook('afterEach'),
      onTestFinished: (run: Run) => void finishing.push(run),
      expect: pollingExpect,
      expectTypeOf,
      vi,
    },
    play: async (load) => {
      current = suiteOf('');
      const file = current;
      try {
        await load();
        return await playSuite(file, []);
      } catch (cause) {
        return `the file: ${String(cause)}`;
      }
    },
  };
};

/** `expect.poll` of vitest's own asks for the test that it knows of, and so finds none here. */
const poll = (read: () => unknown, { timeout = 2_500 } = {}): object =>
  new Proxy(
    {},
    {
      get:
        (_, matcher: 'toBe') =>
        (...expected: [unknown]): Promise<void> =>
          vi.waitFor(async () => expect(await read())[matcher](...expected), { timeout, interval: 20 }),
    },
  );
const pollingExpect = new Proxy(expect, {
  get: (target, name): unknown => (name === 'poll' ? poll : Reflect.get(target, name)),
});

const suiteOf = (name: string): Suite => ({
  name,
  items: [],
  hooks: { beforeAll: [], afterAll: [], beforeEach: [], afterEach: [] },
});
