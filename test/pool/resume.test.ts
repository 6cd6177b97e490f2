import { describe, expect, it } from 'vitest';
import { lastValueFrom, toArray } from 'rxjs';
import type { Pool, PoolJobState } from '../../src/client/pool/pool-types.js';
import type { PoolPlace, PoolStartOptions } from '../../src/client/pool/start-options.js';
import { poolOf } from './pool-of.js';
import { workflowOf } from './engine.js';

const states = (pool: Pool, options: PoolStartOptions): Promise<PoolJobState[]> =>
  lastValueFrom(pool.start(workflowOf('job'), options).states.pipe(toArray()));

const one = { name: 'one' };
const submissionId = 'own';

describe('start with intend', () => {
  it('tells the place before the submission leaves, and the id that the server gave it after', async () => {
    const { clock, pool, at } = poolOf([one]);
    const places: (PoolPlace & { readonly submissions: number })[] = [];
    const intend = (place: PoolPlace): Promise<void> => {
      places.push({ ...place, submissions: at('one').submissions() });
      return Promise.resolve();
    };
    await clock.until(states(pool, { submissionId, intend }));
    const place = { server: 'one', attempt: 1, submissionIds: 'jobs' };
    expect(places).toEqual([
      { ...place, submissions: 0 },
      { ...place, promptId: 'own', submissions: 1 },
    ]);
  });

  it('submits nothing where the place could not be kept', async () => {
    const { clock, pool, at } = poolOf([one]);
    const failing = states(pool, { intend: () => Promise.reject(new Error('The disk is full.')) });
    await expect(clock.until(failing)).rejects.toThrow('The disk is full.');
    expect(at('one').submissions()).toBe(0);
  });
});

describe('start with resume', () => {
  const submitted: PoolPlace = { server: 'one', attempt: 1, promptId: submissionId, submissionIds: 'jobs' };

  it('follows what the server has, without another submission', async () => {
    const { clock, pool, at } = poolOf([one, { name: 'two' }]);
    await clock.until(at('one').client.submit(workflowOf('job'), { submissionId })());
    const all = await clock.until(states(pool, { submissionId, resume: submitted }));
    expect(all.at(-1)).toMatchObject({ phase: 'completed', server: 'one', attempt: 1 });
    expect([at('one').submissions(), at('two').submissions()]).toEqual([1, 0]);
  });

  it('runs again what the server has lost, and by rerun never says that it is lost', async () => {
    const lost = async (rerun: 'lost' | 'never') => {
      const { clock, pool, at } = poolOf([one], { rules: { rerun } });
      const all = await clock.until(states(pool, { submissionId, resume: submitted }));
      return [all.at(-1)?.phase, all.at(-1)?.attempt, at('one').submissions()];
    };
    expect(await lost('lost')).toEqual(['completed', 2, 1]);
    expect(await lost('never')).toEqual(['untraceable', 1, 0]);
  });

  it('submits what never arrived, where the server takes the ids of submissions as those of jobs', async () => {
    const { clock, pool, at } = poolOf([one]);
    const intended: PoolPlace = { server: 'one', attempt: 1, submissionIds: 'unproven' };
    const all = await clock.until(states(pool, { submissionId, resume: intended }));
    expect(all.at(-1)).toMatchObject({ phase: 'completed', attempt: 1 });
    expect(at('one').submissions()).toBe(1);
  });

  it('errors with NotFound where the pool has the server no more', async () => {
    const { clock, pool } = poolOf([one]);
    const gone = states(pool, { submissionId, resume: { ...submitted, server: 'gone' } });
    await expect(clock.until(gone)).rejects.toMatchObject({ _tag: 'NotFound' });
  });
});

describe('withdraw', () => {
  it('takes back a job that waits, and leaves one alone that a server has', async () => {
    const { clock, pool, at } = poolOf([one]);
    pool.pauseServer('one');
    const waiting = pool.start(workflowOf('waits'));
    const end = lastValueFrom(waiting.states);
    expect(waiting.withdraw()).toBe(true);
    expect((await clock.until(end)).phase).toBe('cancelled');
    pool.resumeServer('one');
    const given = pool.start(workflowOf('runs'));
    const completed = await clock.until(lastValueFrom(given.states));
    expect(given.withdraw()).toBe(false);
    expect(completed.phase).toBe('completed');
    expect(at('one').submissions()).toBe(1);
  });
});
