import { describe, expect, it } from 'vitest';
import {
  acquireLeasesScript,
  addRecordScript,
  expireRecordsScript,
  probeScript,
  removeRecordScript,
  renewLeasesScript,
  setAsideRecordScript,
  updateRecordScript,
} from '../../../src/server/queue/store/scripts/generated/scripts.js';
import type { JobRecord } from '../../../src/server/joblog/job-index.js';
import { playedClient } from '../redis/played-client.js';
import { redisJobIndex } from '../../../src/server/queue/store/redis-job-index.js';
import { settle } from '../../helpers/settle.js';

const scripts = Object.entries({
  ...{ acquire: acquireLeasesScript, add: addRecordScript, expire: expireRecordsScript, probe: probeScript },
  ...{
    remove: removeRecordScript,
    renew: renewLeasesScript,
    aside: setAsideRecordScript,
    update: updateRecordScript,
  },
});

/** An index whose server gives these answers one after the other, and what it was asked. */
const answering = (answers: readonly unknown[] = [], more: object = {}) => {
  const { client, calls, answerBy } = playedClient();
  const left = [...answers];
  answerBy(() => Promise.resolve(left.shift()));
  const told: string[] = [];
  const index = redisJobIndex({
    redis: client,
    name: 'g',
    onDamage: (message) => told.push(message),
    ...more,
  });
  const asked = () =>
    calls.map((call) =>
      scripts
        .reduce((text, [name, { sha }]) => text.replace(`EVALSHA ${sha} 1`, name), call)
        .replaceAll('{promptwire:g}:', 'g:'),
    );
  return { index, asked, told };
};

const record = (id: string, more: Partial<JobRecord> = {}): JobRecord => ({
  ...{ id, owner: 'o', client: 'c', createdAt: 1, expiresAt: 10, submissionId: 's', workflow: {} },
  ...more,
});
const fieldsOf = (id: string) => ['id', id, 'owner', 'o', 'record', JSON.stringify(record(id))];

describe('a record that is added', () => {
  it('brings its text, its lease and the bounds', async () => {
    const { index, asked } = answering([['added', [fieldsOf('old')]]], { maxJobs: 7, maxSize: 8 });
    const answer = await index.add(record('x', { key: 'k' }), { process: 'p', forMs: 5 }, { maxSize: 9 });
    expect(answer).toEqual({ _tag: 'added', evicted: [record('old')] });
    expect(asked()).toEqual([`add g: x o k ${JSON.stringify(record('x', { key: 'k' }))} 1 10 p 5 7 8 9`]);
    const plain = answering([['added', []]]);
    expect(await plain.index.add(record('x'))).toEqual({ _tag: 'added', evicted: [] });
    expect(plain.asked()).toEqual([`add g: x o  ${JSON.stringify(record('x'))} 1 10  0 10000 134217728 `]);
  });

  it.each(['owner', 'all'] as const)('finds no room: %s', async (whose) => {
    expect(await answering([[whose, []]]).index.add(record('x'))).toEqual({ _tag: 'full', whose });
  });

  it('finds its key used, by a job that may be gone', async () => {
    const of = (fields: readonly unknown[]) => answering([['used', fields]]).index.add(record('x'));
    expect(await of([fieldsOf('y')])).toEqual({ _tag: 'keyUsed', existing: record('y') });
    expect(await of([])).toStrictEqual({ _tag: 'keyUsed' });
  });
});

describe('the records of an index', () => {
  it('are read by id, from the newest on, without those that are gone', async () => {
    const { index, asked } = answering([['a', '2', 'b', '1'], fieldsOf('a'), []]);
    expect(await index.list('o', { limit: 2 })).toEqual([record('a')]);
    expect(asked()[0]).toBe('ZREVRANGEBYSCORE g:jobs-of:o +inf -inf WITHSCORES LIMIT 0 2');
    const all = answering(['5', []]);
    expect(await all.index.list(undefined, { limit: 2, after: 'x' })).toEqual([]);
    expect(all.asked()).toEqual(['ZSCORE g:jobs x', 'ZREVRANGEBYSCORE g:jobs (5 -inf WITHSCORES LIMIT 0 2']);
    expect(await answering([null]).index.list('o', { limit: 2, after: 'x' })).toEqual([]);
  });

  it('are changed by what became known of them', async () => {
    const { index, asked } = answering();
    await index.update('x', {
      promptId: 'p',
      cancelRequestedAt: 3,
      expiresAt: 4,
      ended: { phase: 'failed', at: 5 },
    });
    await index.update('x', { place: { server: 'attic', attempt: 1, submissionIds: 'jobs' } });
    await index.remove('x');
    await index.probe?.();
    expect(asked()).toEqual([
      'update g: x promptId p cancelRequestedAt 3 expiresAt 4 endedAt 5 phase failed',
      'update g: x place {"server":"attic","attempt":1,"submissionIds":"jobs"}',
      ...['remove g: x', 'probe g:'],
    ]);
  });

  it('are set aside once where they can’t be read, which is told', async () => {
    const damaged = ['owner', 'o', 'record', '{"cut', 'createdAt', '1', 'expiresAt', '10'];
    for (const [answer, words] of [
      [1, ["The record of the job x of o can't be read: it is kept in {promptwire:g}:damaged."]],
      [0, []],
    ] as const) {
      const { index, asked, told } = answering([damaged, answer]);
      expect(await index.get('x')).toMatchObject({ id: 'x', owner: 'o', unreadable: true, createdAt: 1 });
      await settle();
      expect([told, asked()[1]?.startsWith('aside g: x {')]).toEqual([words, true]);
    }
    expect(await answering([[]]).index.get('x')).toBeUndefined();
  });

  it('are forgotten and counted by the server', async () => {
    const { index, asked } = answering([[fieldsOf('a')], '3']);
    expect([await index.expire(5), await index.damaged?.()]).toEqual([[record('a')], 3]);
    expect(asked()).toEqual(['expire g: 5', 'HLEN g:damaged']);
  });
});

it('leases are kept for a time, and the server is asked for none without jobs', async () => {
  const { index, asked } = answering([['a'], [fieldsOf('b')]]);
  const lease = { process: 'p', forMs: 5 };
  expect(await index.leases?.renew([], lease)).toEqual([]);
  expect(await index.leases?.renew(['a', 'b'], lease)).toEqual(['a']);
  expect(await index.leases?.acquire(lease)).toEqual([record('b')]);
  expect(asked()).toEqual(['renew g: p 5 a b', 'acquire g: p 5']);
});
