import { askServer } from '../../../src/server/queue/worker/ask-server.js';
import { expect, it } from 'vitest';
import { serviceError } from '../../../src/core/errors/service-error.js';
import { virtualClock } from '../../../src/testing.js';

/** A worker that asks its server, which answers with `stats`, fails so, or does not answer at all. */
const asked = (stats?: object) => {
  const clock = virtualClock();
  const calls: unknown[] = [];
  // A client of ioredis; to connect again is what a queue has it do at a replica.
  const redis = {
    defineCommand: () => undefined,
    options: {},
    disconnect: (again: boolean) => void calls.push(['disconnect', again]),
  };
  const answer = askServer(
    {
      ...{ clock, redis: redis as never },
      trouble: { refused: (words: string | undefined) => void calls.push(['refused', words]) } as never,
      queueStore: {
        stats: () => {
          if (stats === undefined) return new Promise(() => undefined);
          return stats instanceof Error ? Promise.reject(stats) : Promise.resolve(stats as never);
        },
      },
    },
    2_000,
  );
  return { answer, calls, clock };
};

it('gives how full the queue is, and notes that the server takes writes', async () => {
  const { answer, calls } = asked({ waiting: 3 });
  expect(await answer).toEqual({ waiting: 3 });
  expect(calls).toEqual([['refused', undefined]]);
});

it('gives nothing where the server takes no writes, and notes its words', async () => {
  const { answer, calls } = asked({ waiting: 3, refused: 'OOM command not allowed' });
  expect(await answer).toBeUndefined();
  expect(calls).toEqual([['refused', 'OOM command not allowed']]);
});

it('connects again where the server has become a replica', async () => {
  const { answer, calls } = asked({ refused: 'READONLY You can’t write against a replica' });
  expect(await answer).toBeUndefined();
  expect(calls[1]).toEqual(['disconnect', true]);
});

it('notes the words of a server that refuses the question itself, and leaves a node of a cluster', async () => {
  const refused = (words: string) =>
    asked(
      serviceError('Network', { code: words.split(' ', 1).join(''), sent: false, cause: new Error(words) }),
    );
  const moved = refused('MOVED 1 10.0.0.7:6379');
  expect(await moved.answer).toBeUndefined();
  expect(moved.calls).toEqual([
    ['refused', 'MOVED 1 10.0.0.7:6379'],
    ['disconnect', true],
  ]);
  const full = refused('OOM command not allowed');
  expect(await full.answer).toBeUndefined();
  expect(full.calls).toEqual([['refused', 'OOM command not allowed']]);
});

it('gives nothing where the question fails, and notes that no answer came', async () => {
  const { answer, calls } = asked(new Error('Connection is closed.'));
  expect(await answer).toBeUndefined();
  expect(calls).toEqual([['refused', 'it does not answer']]);
});

it('gives nothing where no answer comes in time, and notes that', async () => {
  const { answer, calls, clock } = asked();
  await clock.advance(1_999);
  expect(calls).toEqual([]);
  await clock.advance(1);
  expect(await answer).toBeUndefined();
  expect(calls).toEqual([['refused', 'it does not answer']]);
});
