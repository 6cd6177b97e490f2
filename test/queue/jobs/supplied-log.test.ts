import { expect, it } from 'vitest';
import { of, Subject } from 'rxjs';
import { suppliedLog } from '../../../src/server/queue/jobs/supplied-log.js';

/** The log of a queue whose own log notes its calls. */
const world = () => {
  const calls: unknown[] = [];
  const note =
    (name: string) =>
    (...args: readonly unknown[]) => {
      calls.push([name, ...args]);
      return Promise.resolve(`answer of ${name}`);
    };
  const progress = new Subject<{ readonly id: string; readonly text: string }>();
  let opened = 0;
  const log = suppliedLog(() => {
    opened += 1;
    return Promise.resolve({
      log: {
        append: note('append'),
        read: note('read'),
        position: note('position'),
        expire: note('expire'),
        changes: of('t'),
      },
      notifications: { progress },
      queueStore: { latestProgress: note('latest') },
      store: { get: (id: string) => Promise.resolve(id === 'x' ? { id } : undefined) },
    } as never);
  });
  return { log, calls, progress, opened: () => opened };
};

it('opens with its first use, and passes calls and answers on', async () => {
  const { log, calls, opened } = world();
  expect(opened()).toBe(0);
  const answers: unknown[] = [
    await log.append('t', 'x', []),
    await log.read({ owner: 't' }, 'p', 9),
    await log.position('t'),
    await log.latestProgress('x'),
  ];
  expect([await log.hasJob?.('x'), await log.hasJob?.('y')]).toEqual([true, false]);
  await log.expire('t', 'x');
  expect(answers).toEqual(['append', 'read', 'position', 'latest'].map((name) => `answer of ${name}`));
  expect(calls).toEqual([
    ['append', 't', 'x', []],
    ['read', { owner: 't' }, 'p', 9],
    ['position', 't'],
    ['latest', 'x'],
    ['expire', 't', 'x'],
  ]);
});

it('tells changes and progress, without what is no progress', async () => {
  const { log, progress } = world();
  const seen: unknown[] = [];
  log.changes.subscribe((owner) => seen.push(owner));
  const following = log.progress.subscribe((one) => seen.push(one));
  await new Promise(setImmediate);
  progress.next({ id: 'x', text: 'broken' });
  progress.next({ id: 'x', text: '{"nodes":{},"progress":0.5}' });
  expect(seen).toMatchObject(['t', { jobId: 'x', progress: { nodes: {}, progress: 0.5 } }]);
  following.unsubscribe();
  expect(progress.observed).toBe(false);
});
