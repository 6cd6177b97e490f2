import { describe, expect, it } from 'vitest';
import { addJobs } from '../../../src/server/queue/jobs/add-jobs.js';
import type { AddOptions, NewQueueJob } from '../../../src/server/queue/jobs/job-queue.js';
import { isDeeperThan } from '../../../src/core/protocol/json/is-deeper-than.js';
import type { Workflow } from '../../../src/core/protocol/workflow.js';

/** A queue in memory that notes what it is asked for. */
const played = (turn: () => Promise<void> = () => Promise.resolve()) => {
  const calls: string[] = [];
  const queue = {
    store: {
      addAll: (jobs: readonly { readonly id: string }[]) => {
        const ids = jobs.map(({ id }) => id);
        calls.push(`job ${ids.join()}`);
        return Promise.resolve(ids);
      },
    },
    slotTokens: {
      addAll: (slotTokens: readonly { readonly id: string }[]) => {
        calls.push(`turn ${slotTokens.map(({ id }) => id).join()}`);
        return turn();
      },
    },
  } as unknown as Parameters<typeof addJobs>[0];
  const addAll = (jobs: readonly NewQueueJob[]) => addJobs(queue, 'q', jobs);
  const add = async (options: AddOptions, workflow: Workflow = {}) =>
    (await addAll([{ ...options, workflow }]))[0];
  return { calls, add, addAll };
};

const nested = (levels: number): unknown => (levels === 0 ? 1n : { inputs: nested(levels - 1) });

describe('T6 what a queue can not keep', () => {
  it.each<readonly [string, object]>([
    ['id', { id: '' }],
    ['id', { id: 'a\ud800' }],
    ['id', { id: 42 }],
    ['id', { id: 'x'.repeat(1_001) }],
    ['key', { key: '\udc00' }],
    ['tenant', { tenant: null }],
    ['priority', { priority: NaN }],
    ['priority', { priority: '1' }],
    ['priority', { priority: Infinity }],
    ['delayMs', { delayMs: -1 }],
    ['delayMs', { delayMs: NaN }],
    ['delayMs', { delayMs: Infinity }],
    ['extraData', { extraData: nested(65) }],
  ])('is refused before anything is written: %s (%#)', async (option, options) => {
    const { calls, add } = played();
    await expect(add(options)).rejects.toMatchObject({ _tag: 'InvalidConfig', option });
    expect(calls).toEqual([]);
  });

  it('is a workflow that is nested too deep, or holds itself', async () => {
    const { calls, add } = played();
    const own: Record<string, unknown> = {};
    own['self'] = own;
    for (const workflow of [nested(65), nested(3_000), own])
      await expect(add({}, workflow as Workflow)).rejects.toMatchObject({
        ...{ _tag: 'InvalidConfig', message: 'The workflow of a job is nested 64 levels deep at most.' },
      });
    expect(calls).toEqual([]);
    expect(await add({ id: '42', priority: -1.5, delayMs: 0 }, nested(64) as Workflow)).toBe('42');
    expect(calls).toEqual(['job 42', 'turn 42']);
    expect([isDeeperThan([], 0), isDeeperThan('', 0), isDeeperThan([[1]], 1)]).toEqual([true, false, true]);
  });
});

it('T6 a job that the store has is never rejected: a worker adds the turn that is missing', async () => {
  const { calls, add } = played(() => Promise.reject(new Error('OOM command not allowed')));
  expect(await add({ id: 'x' })).toBe('x');
  expect(calls).toEqual(['job x', 'turn x']);
});

describe('T6 of many jobs', () => {
  it('one that is refused is named, and none is added', async () => {
    const { calls, addAll } = played();
    const jobs = [{ workflow: {} }, { workflow: {}, priority: NaN }];
    await expect(addAll(jobs)).rejects.toMatchObject({
      ...{ _tag: 'InvalidConfig', option: 'priority' },
      message: 'Job 2 of 2, so none was added: The priority of a job is a finite number.',
    });
    await expect(addAll(Array(10_001).fill({ workflow: {} }))).rejects.toMatchObject({ option: 'jobs' });
    expect(await addAll([])).toEqual([]);
    expect(calls).toEqual([]);
  });

  it('all are added in one step, and their turns in another', async () => {
    const { calls, addAll } = played();
    const jobs = ['a', 'b', 'c'].map((id) => ({ id, workflow: {} }));
    expect(await addAll(jobs)).toEqual(['a', 'b', 'c']);
    expect(calls).toEqual(['job a,b,c', 'turn a,b,c']);
  });
});
