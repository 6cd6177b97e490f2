import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { maintain } from '../../../src/server/queue/worker/maintenance.js';
import { listenTo } from '../../../src/server/queue/telemetry/channels.js';
import type { QueueStatsMessage } from '../../../src/server/queue/telemetry/messages.js';
import { realClock } from '../../../src/core/platform/clock.js';
import type { QueueRetention } from '../../../src/server/queue/options.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

interface WorldOptions {
  readonly waiting?: number;
  readonly due?: number;
  readonly held?: readonly string[];
  readonly external?: number;
  /** How many slots the account had when the worker began. */
  readonly slots?: number;
  readonly kind?: 'account' | 'servers';
  /** With what words the server takes no writes. */
  readonly refused?: string;
}

const world = (options: WorldOptions = {}) => {
  const { waiting = 0, due = 0, held = [], external = 1, slots, kind = 'account', refused } = options;
  const calls: string[] = [];
  const told: QueueStatsMessage[] = [];
  const thrown: string[] = [];
  onTestFinished(listenTo('promptwire:queue:stats', (message) => void told.push(message)));
  let [fails, refuses] = [0, 0];
  const queue = {
    ...{ clock: realClock, kind, redis: { defineCommand: () => undefined } },
    files: {
      expire: (...args: readonly number[]) => Promise.resolve(void calls.push(`forget files ${args.join()}`)),
    },
    trouble: {
      refused: (words: string | undefined) => words !== undefined && calls.push(`refused: ${words}`),
    },
    slotTokens: {
      setLimit: (slots: number) =>
        refuses-- > 0
          ? Promise.reject(new Error('no limit'))
          : Promise.resolve(void calls.push(`limit ${slots}`)),
      due: () => Promise.resolve(due),
      addAll: (slotTokens: readonly { readonly id: string }[]) =>
        Promise.resolve(
          void calls.push(...slotTokens.map(({ id }) => `add ${id.length === 36 ? 'a new one' : id}`)),
        ),
    },
    queueStore: {
      stats: () =>
        fails-- > 0
          ? Promise.reject(new Error('away'))
          : Promise.resolve({ waiting, delayed: 1, held: 2, unknown: 3, external, slots: 4, refused }),
      overdue: (ms: number) => Promise.resolve([`late by ${ms}`]),
      heldTokens: () => Promise.resolve(held),
      setSlots: (...args: readonly unknown[]) => Promise.resolve(void calls.push(`slots ${args.join()}`)),
      prune: (retention: object) => Promise.resolve(void calls.push(`prune ${JSON.stringify(retention)}`)),
    },
  };
  const keep = (retention?: QueueRetention) =>
    maintain(queue as never, {
      ...{ name: 'q', retention, ...(slots !== undefined && { slots }) },
      tellThrown: (what, cause) => void thrown.push(`${what}: ${String(cause)}`),
    });
  return { calls, told, thrown, keep, failOnce: () => (fails = 1), refuseOnce: () => (refuses = 1) };
};
const soon = () => vi.advanceTimersByTimeAsync(0);

it('sets the limit, adds the turns that are lost, forgets old jobs and tells how full the queue is', async () => {
  const { calls, told, keep } = world({ waiting: 5, due: 3, held: ['h'] });
  const keeping = keep();
  await soon();
  expect(calls).toEqual([
    ...['limit 3', 'add a new one', 'add a new one', 'add late by 5000', 'add h'],
    'prune {"count":10000,"ageMs":604800000,"bytes":268435456}',
  ]);
  expect(told).toEqual([{ queue: 'q', waiting: 5, delayed: 1, held: 2, unknown: 3, external: 1, limit: 4 }]);
  await vi.advanceTimersByTimeAsync(4_999);
  expect(told).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(told).toHaveLength(2);
  keeping.unsubscribe();
  expect(vi.getTimerCount()).toBe(0);
});

it('adds a thousand turns at most, and none where there are enough', async () => {
  const many = world({ waiting: 5_000 });
  const keeping = many.keep();
  await soon();
  expect(many.calls.filter((call) => call === 'add a new one')).toHaveLength(1_000);
  keeping.unsubscribe();
  const enough = world({ waiting: 2, due: 3 });
  const other = enough.keep();
  await soon();
  expect(enough.calls).not.toContain('add a new one');
  other.unsubscribe();
});

it('keeps what it is told to keep', async () => {
  const { calls, keep } = world();
  const keeping = keep({ count: 1, ageMs: 2, bytes: 3 });
  await soon();
  expect(calls.at(-1)).toBe('prune {"count":1,"ageMs":2,"bytes":3}');
  keeping.unsubscribe();
});

it('does next time what fails now', async () => {
  const { told, keep, failOnce } = world();
  failOnce();
  const keeping = keep();
  await soon();
  expect(told).toEqual([]);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(told).toHaveLength(1);
  keeping.unsubscribe();
});

it('tells of what threw, and does it next time', async () => {
  const { calls, told, thrown, keep, refuseOnce } = world();
  refuseOnce();
  const keeping = keep();
  await soon();
  expect([told, thrown]).toEqual([[], ['The queue could not be maintained: Error: no limit']]);
  await vi.advanceTimersByTimeAsync(5_000);
  expect([told.length, thrown.length]).toEqual([1, 1]);
  expect(calls).toContain('limit 3');
  keeping.unsubscribe();
});

it('lets none begin where other programs run more jobs than the account has slots', async () => {
  const { calls, keep } = world({ external: 5 });
  const keeping = keep();
  await soon();
  expect(calls[0]).toBe('limit 0');
  keeping.unsubscribe();
});

it.each([
  [5, ['slots 5,NX']],
  [4, []],
])('gives the slots back to a server that has lost how many there are: %i', async (slots, expected) => {
  const { calls, keep } = world({ slots });
  const keeping = keep();
  await soon();
  expect(calls.filter((call) => call.startsWith('slots'))).toEqual(expected);
  keeping.unsubscribe();
});

it('forgets the files of a queue over servers that no job names, after a day or beyond 256 MiB', async () => {
  const { calls, keep } = world({ kind: 'servers' });
  const keeping = keep();
  await soon();
  expect(calls.at(-1)).toBe('forget files 86400000,268435456');
  keeping.unsubscribe();
});

it('mends nothing at a server that takes no writes, and notes its words', async () => {
  const { calls, told, keep } = world({ waiting: 5, refused: 'OOM command not allowed' });
  const keeping = keep();
  await soon();
  expect([calls, told]).toEqual([['refused: OOM command not allowed'], []]);
  keeping.unsubscribe();
});
