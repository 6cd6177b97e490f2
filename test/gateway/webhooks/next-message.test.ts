import { describe, expect, it } from 'vitest';
import type { JobEntry } from '../../../src/server/gateway/registry/job-entry.js';
import { initialJobState } from '../../../src/core/state/initial-job-state.js';
import type { LifecycleEvent } from '../../../src/core/events/job-log-event.js';
import { memoryEventLog } from '../../../src/server/gateway/store/memory-event-log.js';
import { nextMessage } from '../../../src/server/gateway/webhooks/next-message.js';
import { statusOf } from '../../../src/core/events/state-members.js';
import type { WebhookKind } from '../../../src/core/events/webhook-kinds.js';

const status = (at: number): LifecycleEvent => ({
  type: 'status',
  at,
  status: statusOf(initialJobState({})),
});
const cancelled = (at: number): LifecycleEvent => ({ type: 'cancelRequested', at });

const jobAt = (position: string | undefined): JobEntry => ({
  record: {
    ...{ id: 'j', owner: 'alice', client: 'default', createdAt: 1, expiresAt: 2, workflow: {} },
    submissionId: 's',
  },
  ...{ state: initialJobState({}), progressVersion: 0, publishedAt: 5, previews: new Map() },
  ...(position !== undefined && { position }),
});

/** A log with these events of one job, and what comes next of it for a webhook. */
const setUp = async (events: readonly LifecycleEvent[], kinds: readonly WebhookKind[]) => {
  const log = memoryEventLog();
  let reads = 0;
  const counted = {
    ...log,
    read: (...args: Parameters<typeof log.read>) => {
      reads += 1;
      return log.read(...args);
    },
  };
  const from = await log.position('alice');
  const ids: string[] = [];
  for (const event of events) ids.push(...(await log.append('alice', 'j', [event])));
  const record = {
    owner: 'alice',
    url: 'https://a.example/',
    events: kinds,
    secrets: [],
    createdAt: 1,
    from,
  };
  const next = (published: string | undefined, position?: string) =>
    nextMessage(counted, jobAt(published), record, position);
  return { ids, next, log, reads: () => reads };
};

describe('the next message of a job', () => {
  it('is the first event that its owner asked for, behind those that are done', async () => {
    const { ids, next } = await setUp([cancelled(1), status(2), cancelled(3), status(4)], ['job.status']);
    expect(await next(ids[3])).toMatchObject({ message: { position: ids[1] } });
    expect(await next(ids[3], ids[1])).toMatchObject({ message: { position: ids[3] } });
    expect(await next(ids[2], ids[1])).toEqual({ _tag: 'nothing', position: ids[2] });
    expect(await next(ids[3], ids[3])).toEqual({ _tag: 'nothing' });
  });

  it('is none before the board knows of an event, whatever the log has already', async () => {
    const { ids, next, reads } = await setUp([status(1), status(2)], ['job.status']);
    expect([await next(undefined), await next(undefined, ids[0])]).toEqual(
      Array(2).fill({ _tag: 'nothing' }),
    );
    expect(reads()).toBe(0);
    expect(await next(ids[0])).toMatchObject({ message: { position: ids[0] } });
    expect(await next(ids[0], ids[0])).toEqual({ _tag: 'nothing' });
    expect(reads()).toBe(1);
    // What is not published yet comes later.
    expect(await next('elsewhere', ids[0])).toEqual({ _tag: 'nothing' });
  });

  it.each([32, 33, 64, 70])('is found behind %i events that its owner did not ask for', async (count) => {
    const others = Array.from({ length: count }, (_, at) => cancelled(at));
    const { ids, next } = await setUp([...others, status(99)], ['job.status']);
    expect(await next(ids[count])).toMatchObject({ message: { position: ids[count] } });
    expect(await next(ids[count - 1])).toEqual({ _tag: 'nothing', position: ids[count - 1] });
  });

  it('of a job that is over with its submission is an end', async () => {
    const submitted = (phase: 'pending' | 'failed'): LifecycleEvent => ({
      ...{ type: 'submitted', at: 1, state: { ...initialJobState({}), phase } },
    });
    const over = await setUp([submitted('failed')], ['job.ended']);
    const { message } = (await over.next(over.ids[0])) as { message: { body: string } };
    expect(JSON.parse(message.body)).toMatchObject({ type: 'job.ended' });
    const waiting = await setUp([submitted('pending')], ['job.ended']);
    expect(await waiting.next(waiting.ids[0])).toEqual({ _tag: 'nothing', position: waiting.ids[0] });
  });

  it('tells of events that are gone, and that the log does not answer', async () => {
    const { ids, next, log } = await setUp([status(1), status(2)], ['job.status']);
    await log.expire('alice', 'j');
    const gap = await next(ids[1], ids[0]);
    expect(gap).toMatchObject({ _tag: 'message', message: { id: `msg_j_${ids[1]}_gap`, position: ids[1] } });
    const broken = { ...log, read: () => Promise.reject(new Error('away')) };
    const record = { owner: 'alice', url: '', events: [], secrets: [], createdAt: 1, from: '' };
    await expect(nextMessage(broken, jobAt(ids[1]), record, undefined)).rejects.toThrow('away');
  });
});
