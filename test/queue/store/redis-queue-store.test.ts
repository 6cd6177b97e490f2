import { describe, expect, it } from 'vitest';
import {
  appendHeldScript,
  clearScript,
  overdueScript,
  progressScript,
  pruneScript,
  resolveScript,
  statsScript,
} from '../../../src/server/queue/store/scripts/generated/scripts.js';
import { playedClient } from '../redis/played-client.js';
import { redisQueueStore } from '../../../src/server/queue/store/redis-queue-store.js';
import type { Script } from '../../../src/server/queue/store/script.js';

const scripts: readonly (readonly [string, Script])[] = [
  ['append', appendHeldScript],
  ['clear', clearScript],
  ['overdue', overdueScript],
  ['progress', progressScript],
  ['prune', pruneScript],
  ['resolve', resolveScript],
  ['stats', statsScript],
];

/** A store whose server gives these answers one after the other, and what it was asked. */
const answering = (answers: readonly unknown[] = [], more: object = {}) => {
  const { client, calls, answerBy } = playedClient();
  const left = [...answers];
  answerBy(() => Promise.resolve(left.shift()));
  const store = redisQueueStore({ redis: client, name: 'q', ...more });
  /** The commands, with the names of scripts and the prefix of keys cut short. */
  const asked = () =>
    calls.map((call) =>
      scripts
        .reduce((text, [name, { sha }]) => text.replace(`EVALSHA ${sha} 1`, name), call)
        .replaceAll('{promptwire:q}:', 'q:'),
    );
  return { store, asked };
};
const job = { id: 'x', fence: 3 };
const event = { type: 'cancelRequested', at: 1 } as const;

describe('the numbers of a queue', () => {
  it('are read one by one', async () => {
    const { store, asked } = answering([[1, 2, 3, 4, 5, 1, 'no credits', 6, 7, 8, 'OOM full... script: 1']]);
    expect(await store.stats()).toEqual({
      ...{ waiting: 1, delayed: 2, held: 3, unknown: 4, ended: 5, draining: true, paused: 'no credits' },
      ...{ slots: 6, external: 7, damaged: 8, refused: 'OOM full' },
    });
    expect(asked()).toEqual(['stats q:']);
  });

  it('leave out what does not hold', async () => {
    const stats = await answering([[0, 0, 0, 0, 0, 0, '', 3, 0, 0, '']]).store.stats();
    expect([stats.draining, 'paused' in stats, 'refused' in stats]).toEqual([false, false, false]);
  });
});

describe('the events of a held job', () => {
  it.each([
    [0, 'none'],
    [1, 'all'],
    [2, 'some'],
    [9, 'none'],
    [null, 'none'],
  ] as const)('are kept as the server says: %s is %s', async (answer, kept) => {
    expect(await answering([answer]).store.append(job, 't', [event], false)).toBe(kept);
  });

  it('are appended within the bound of the log, the last ones at any size', async () => {
    const { store, asked } = answering([1, 1], { maxLogBytes: 99 });
    await store.append(job, 't', [event, event], false);
    await store.append(job, 't', [event], true);
    const text = JSON.stringify(event);
    // Between them stand the names of a new log and of this call.
    expect(asked().map((call) => call.replace(/^(append q: t x) \S+ \S+/u, '$1'))).toEqual([
      `append q: t x worker 3 99  ${text} ${text}`,
      `append q: t x worker 3 99 1 ${text}`,
    ]);
    const whole = answering([1]);
    await whole.store.append(job, 't', [], false);
    expect(whole.asked()[0]).toMatch(/ worker 3 8388608 $/u);
  });
});

describe('a page of jobs', () => {
  const fields = ['phase', 'waiting', 'tenant', 't'];

  it('has a next one where it is full, and leaves out jobs that are gone', async () => {
    const { store, asked } = answering([['a', '2', 'b', '1'], fields, []]);
    const page = await store.page(2, '9');
    expect([page.records.map(({ id }) => id), page.next]).toEqual([['a'], '1']);
    expect(asked()).toEqual([
      'ZREVRANGEBYSCORE q:jobs (9 -inf WITHSCORES LIMIT 0 2',
      'HGETALL q:job:a',
      'HGETALL q:job:b',
    ]);
  });

  it('is the last one where it is not', async () => {
    const { store, asked } = answering([[['a', 2]], fields]);
    expect(await store.page(2)).not.toHaveProperty('next');
    expect(asked()[0]).toBe('ZREVRANGEBYSCORE q:jobs +inf -inf WITHSCORES LIMIT 0 2');
  });
});

describe('the changes of a queue', () => {
  it('are clear steps until fewer jobs than a step has are left', async () => {
    const { store, asked } = answering([200, 200, 7]);
    expect(await store.clear()).toBe(407);
    expect(asked().map((call) => call.split(' ').slice(0, 4).join(' '))).toEqual(
      Array(3).fill('clear q: 200 cleared'),
    );
  });

  it('forget ended jobs in the same way', async () => {
    const { store, asked } = answering([200, 199]);
    await store.prune({ count: 1, ageMs: 2, bytes: 3 });
    expect(asked()).toEqual(Array(2).fill('prune q: 200 1 2 3'));
  });

  it('are single commands', async () => {
    const { store, asked } = answering();
    await store.setDraining(true);
    await store.setDraining(false);
    await store.setPaused('why');
    await store.setPaused(undefined);
    await store.setSlots(3);
    await store.setSlots(4, 'NX');
    await store.setExternal(2, 5_000);
    await store.resolve('x', 'forget');
    await store.heldTokens();
    await store.overdue(9);
    expect(asked()).toEqual([
      ...['SET q:draining 1', 'DEL q:draining', 'SET q:paused why', 'DEL q:paused', 'PUBLISH q:resumed '],
      ...['SET q:slots 3', 'SET q:slots 4 NX', 'SET q:foreign 2 PX 5000', 'resolve q: x forget'],
      ...['HKEYS q:turns', 'overdue q: 9'],
    ]);
  });
});

it('the latest progress of a job is what was kept', async () => {
  const progress = { nodes: {}, progress: 0.5 };
  const { store, asked } = answering([1, JSON.stringify(progress), null]);
  await store.progress(job, progress);
  expect([await store.latestProgress('x'), await store.latestProgress('x')]).toEqual([progress, undefined]);
  expect(asked().slice(0, 2)).toEqual([
    `progress q: x 3 ${JSON.stringify(progress)}`,
    'HGET q:job:x progress',
  ]);
});

it('jobs of other programs are those that no job of the queue has', async () => {
  const { store, asked } = answering([['x', null, 'y']]);
  expect([await store.externalOf([]), await store.externalOf(['a', 'b', 'c'])]).toEqual([[], ['b']]);
  expect(asked()).toEqual(['HMGET q:prompts a b c']);
});

it('a picture is put for a job that is held, and read as it is', async () => {
  const place = { nodeId: '9', index: 1 };
  const picture = { mediaType: 'image/png', bytes: new Uint8Array([1, 10, 2]) };
  const { store, asked } = answering([1, 0, Buffer.from('image/png\n\x01\n\x02'), null]);
  const images = store.images(job);
  expect([await images.put('x', place, picture), await images.put('x', place, picture)]).toEqual([
    true,
    false,
  ]);
  expect([await images.get('x', place), await store.image('x', place)]).toEqual([picture, undefined]);
  expect(asked()[2]).toBe('HGET q:images:x ["9",1] (as bytes)');
});
