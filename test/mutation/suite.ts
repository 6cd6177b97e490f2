import { expect, expectTypeOf, vi } from 'vitest';
import { activeMs } from './active-time.js';

type Run = (...args: readonly unknown[]) => unknown;

interface Suite {
  readonly name: string;
  readonly items: (Suite | Test)[];
  readonly hooks: Record<'beforeAll' | 'afterAll' | 'beforeEach' | 'afterEach', Run[]>;
}

interface Test {
  readonly name: string;
  /** Counted from 0 through the file. */
  readonly index: number;
  readonly run: Run;
}

/** Which tests of a file are played, and who wants to know when. */
export interface PlayOptions {
  /** Default: all. */
  readonly tests?: readonly number[] | undefined;
  /** How long a test may take until it counts as failed. */
  readonly withinMs: (index: number) => number;
  readonly onTest: (index: number) => void;
  readonly onTestEnd: (index: number, ms: number) => void;
}

/** What a test file imports of vitest, and how its tests are played: one after the other, until the first fails. */
export interface Playground {
  readonly vitest: object;
  /** The name of the test that failed. */
  readonly play: (load: () => Promise<unknown>, options: PlayOptions) => Promise<string | undefined>;
}

// `vi` reads there, in a run of vitest, how timers are faked, and changes variables of the environment there.
Object.assign(globalThis, {
  __vitest_worker__: { config: { fakeTimers: {}, snapshotOptions: {} }, metaEnv: process.env },
});

// A test may put others in their place.
const { setInterval, clearInterval } = globalThis;

/**
 * Vitest's words for the play of one test file, without its reports, workers and module graph: with those a mutant takes a
 * second, not some milliseconds. `expect` and `vi` are vitest's own.
 */
export const playground = (): Playground => {
  let current = suiteOf('');
  let finishing: Run[] = [];
  let count = 0;
  const describe = (name: string, body: Run): void => {
    const suite = suiteOf(name);
    current.items.push(suite);
    const outer = current;
    current = suite;
    body();
    current = outer;
  };
  const it = (name: string, run: Run): void => void current.items.push({ name, index: count++, run });
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

  const playSuite = async (
    suite: Suite,
    outer: readonly Suite[],
    options: PlayOptions,
  ): Promise<string | undefined> => {
    if (!hasPlayed(suite, options)) return undefined;
    const path = [...outer, suite];
    try {
      for (const run of suite.hooks.beforeAll) await run();
      for (const item of suite.items) {
        const failed =
          'items' in item ? await playSuite(item, path, options) : await playTest(item, path, options);
        if (failed !== undefined) return failed;
      }
      return undefined;
    } finally {
      for (const run of suite.hooks.afterAll) await run();
    }
  };

  const playTest = async (
    { name, index, run }: Test,
    path: readonly Suite[],
    { tests, withinMs, onTest, onTestEnd }: PlayOptions,
  ): Promise<string | undefined> => {
    if (tests?.includes(index) === false) return undefined;
    const fullName = [...path.map((suite) => suite.name), name].filter((part) => part !== '').join(' > ');
    finishing = [];
    onTest(index);
    const began = activeMs();
    try {
      try {
        await within(withinMs(index), async () => {
          for (const { hooks } of path) for (const before of hooks.beforeEach) await before();
          await run();
        });
      } finally {
        await within(3_000, async () => {
          for (const { hooks } of path.toReversed()) for (const after of hooks.afterEach) await after();
          for (const finish of finishing.toReversed()) await finish();
        });
        vi.restoreAllMocks();
        vi.unstubAllGlobals();
        vi.unstubAllEnvs();
      }
      return undefined;
    } catch (cause) {
      vi.useRealTimers();
      return `${fullName}: ${String(cause)}`;
    } finally {
      onTestEnd(index, activeMs() - began);
    }
  };

  return {
    vitest: {
      describe: Object.assign(describe, { each: each(describe), concurrent: describe }),
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
    play: async (load, options) => {
      current = suiteOf('');
      count = 0;
      const file = current;
      try {
        await load();
        return await playSuite(file, [], options);
      } catch (cause) {
        return `the file: ${String(cause)}`;
      }
    },
  };
};

/** `expect.poll` of vitest's own asks for the test that it knows of, and so finds none here. */
const poll = (read: () => unknown, { timeout = 2_500 } = {}, isNot = false): object =>
  new Proxy(
    {},
    {
      get: (_, matcher: 'toBe' | 'not') =>
        matcher === 'not'
          ? poll(read, { timeout }, true)
          : (...expected: [unknown]): Promise<void> => {
              const ask = async (): Promise<void> => {
                const value = expect(await read());
                (isNot ? value.not : value)[matcher](...expected);
              };
              return vi.waitFor(ask, { timeout, interval: 20 });
            },
    },
  );
const pollingExpect = new Proxy(expect, {
  get: (target, name): unknown => (name === 'poll' ? poll : Reflect.get(target, name)),
});

const hasPlayed = ({ items }: Suite, options: PlayOptions): boolean =>
  options.tests === undefined ||
  items.some((item) =>
    'items' in item ? hasPlayed(item, options) : options.tests?.includes(item.index) === true,
  );

/** Rejects where it takes longer; what it has begun goes on. */
const within = async (ms: number, run: () => Promise<void>): Promise<void> => {
  const until = activeMs() + ms;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setInterval(() => {
      if (activeMs() > until) reject(new Error(`It took more than ${ms} ms.`));
    }, 50);
  });
  try {
    await Promise.race([run(), late]);
  } finally {
    clearInterval(timer);
  }
};

const suiteOf = (name: string): Suite => ({
  name,
  items: [],
  hooks: { beforeAll: [], afterAll: [], beforeEach: [], afterEach: [] },
});
