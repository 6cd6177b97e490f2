import { describe, expect, it } from 'vitest';
import { addJob } from '../../../src/server/queue/jobs/add-job.js';
import type { AddOptions } from '../../../src/server/queue/jobs/job-queue.js';
import { isDeeperThan } from '../../../src/core/protocol/json/is-deeper-than.js';
import type { Workflow } from '../../../src/core/protocol/workflow.js';

/** A queue in memory that notes what it is asked for. */
const played = (turn: () => Promise<void> = () => Promise.resolve()) => {
  const calls: string[] = [];
  const queue = {
    store: {
      add: ({ id }: { readonly id: string }) => {
        calls.push(`job ${id}`);
        return Promise.resolve(id);
      },
    },
    turns: {
      add: (id: string) => {
        calls.push(`turn ${id}`);
        return turn();
      },
    },
  } as unknown as Parameters<typeof addJob>[0];
  const add = (options: AddOptions, workflow: Workflow = {}) => addJob(queue, 'q', workflow, options);
  return { calls, add };
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
