import { expect, it } from 'vitest';
import { resolveJob } from '../../../src/server/queue/jobs/resolve-job.js';
import type { QueueRecord } from '../../../src/server/queue/store/job-store.js';

const unknown: QueueRecord = {
  ...{ id: 'x', tenant: 't', priority: 0, phase: 'unknown', createdAt: 0 },
  intent: { attempt: 1, worker: 'w', at: 0, since: 0, submissionIds: 'none', submissionId: 's' },
};

/** Decides on a job; `isAnothers` says that the id of the service belongs to another job. */
const world = (isAnothers = false) => {
  const calls: string[] = [];
  const note = <A>(call: string, value: A): Promise<A> => {
    calls.push(call);
    return Promise.resolve(value);
  };
  const parts = {
    queueStore: { resolve: (id: string, decision: string) => note(`${decision} ${id}`, true) },
    store: {
      answered: (...ids: readonly string[]) =>
        note(`answered ${ids.join()}`, isAnothers ? undefined : ids[2]),
    },
    slotTokens: { add: (id: string) => note(id.length === 36 ? 'token' : id, undefined) },
  };
  const resolve = (record: QueueRecord, decision: Parameters<typeof resolveJob>[2]) =>
    resolveJob(parts as never, record, decision);
  return { calls, resolve };
};

it.each([
  ['resubmit', ['resubmit x', 'token']],
  ['forget', ['forget x']],
  [{ promptId: 'p' }, ['answered x,s,p', 'token']],
] as const)('decides on an unknown job: %j', async (decision, expected) => {
  const { calls, resolve } = world();
  await resolve(unknown, decision);
  expect(calls).toEqual(expected);
});

it('refuses an id of the service that belongs to another job, and adds no slot token', async () => {
  const { calls, resolve } = world(true);
  await expect(resolve(unknown, { promptId: 'p' })).rejects.toMatchObject({
    _tag: 'InvalidConfig',
    option: 'promptId',
  });
  expect(calls).toEqual(['answered x,s,p']);
});

it.each(['waiting', 'held', 'ended', 'delayed'] as const)(
  'refuses to decide on a job that is %s',
  async (phase) => {
    const { calls, resolve } = world();
    await expect(resolve({ ...unknown, phase }, 'forget')).rejects.toMatchObject({
      ...{ _tag: 'InvalidConfig', option: 'id', message: `The job x is ${phase}, not unknown.` },
    });
    expect(calls).toEqual([]);
  },
);
