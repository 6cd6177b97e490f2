import { alice, bob, life, playedGateway, playedService, submitted, workflow } from '../support.js';
import { deleteJob } from '../../../src/server/gateway/jobs/delete-job.js';
import { describe, expect, it } from 'vitest';
import { left, right } from '../../../src/core/protocol/either.js';
import { memoryEventLog } from '../../../src/server/gateway/store/memory-event-log.js';
import { memoryJobIndex } from '../../../src/server/gateway/store/memory-job-index.js';
import { newEntry } from '../../../src/server/gateway/registry/job-entry.js';
import { serviceError } from '../../../src/core/errors/service-error.js';
import { settle } from '../../helpers/settle.js';

/** A gateway with a job of alice that has ended, over a service that deletes so. */
const withEndedJob = async (remove = playedService().delete) => {
  const service = playedService();
  const deleted: string[] = [];
  const gateway = await playedGateway(
    {},
    {
      ...service,
      ...(remove !== undefined && {
        delete: (promptId: string) => {
          deleted.push(promptId);
          return remove(promptId);
        },
      }),
    },
  );
  const { record } = await submitted(gateway);
  for (const state of life('p1')) service.jobs[0]!.move(state);
  await settle();
  return { ...gateway, id: record.id, deleted };
};

describe('the deletion of a job', () => {
  it('forgets the job and its events, of its owner alone, and no other job', async () => {
    const { jobs, index, log, id } = await withEndedJob();
    const other = await submitted({ jobs });
    expect(await jobs.delete(bob, id)).toBeUndefined();
    expect(await jobs.delete(alice, id)).toEqual({ _tag: 'deleted', files: 'kept' });
    expect([await jobs.get(alice, id), await index.get(id)]).toEqual([undefined, undefined]);
    expect((await log.read({ owner: 'alice', jobId: id }, undefined, 10)).events).toEqual([]);
    expect((await jobs.list(alice, { limit: 10 }))?.jobs).toMatchObject([
      { record: { id: other.record.id } },
    ]);
    expect(await jobs.delete(alice, id)).toBeUndefined();
    await jobs.close();
  });

  it('leaves a job alone that has not ended', async () => {
    const gateway = await playedGateway();
    const { record } = await submitted(gateway);
    expect(await gateway.jobs.delete(alice, record.id)).toEqual({ _tag: 'running' });
    expect(await gateway.jobs.get(alice, record.id)).toBeDefined();
  });

  it('asks the service for its files, and says whether they are gone', async () => {
    const { jobs, id, deleted } = await withEndedJob(
      () => () => Promise.resolve(right({ record: true, files: 'deleted' as const })),
    );
    expect(await jobs.delete(alice, id)).toEqual({ _tag: 'deleted', files: 'deleted' });
    expect(deleted).toEqual(['p1']);
  });

  it.each(['NotSupported', 'NotFound'] as const)(
    'forgets the job where the service answers %s',
    async (tag) => {
      const { jobs, id } = await withEndedJob(() => () => Promise.resolve(left(serviceError(tag, {}))));
      expect(await jobs.delete(alice, id)).toEqual({ _tag: 'deleted', files: 'kept' });
      expect(await jobs.get(alice, id)).toBeUndefined();
    },
  );

  it('keeps the job while the service that has its files is away', async () => {
    const { jobs, id } = await withEndedJob(
      () => () => Promise.resolve(left(serviceError('ServerError', {}))),
    );
    expect(await jobs.delete(alice, id)).toMatchObject({ _tag: 'failed', error: { _tag: 'ServerError' } });
    expect(await jobs.get(alice, id)).toBeDefined();
  });

  it('keeps the idempotency key used, so that a late repetition makes no second job', async () => {
    const service = playedService();
    const { jobs } = await playedGateway({}, service);
    const first = await jobs.submit(alice, { workflow, key: 'k' });
    for (const state of life('p1')) service.jobs[0]!.move(state);
    await settle();
    await jobs.delete(alice, first._tag === 'accepted' ? first.job.record.id : '');
    expect(await jobs.submit(alice, { workflow, key: 'k', replay: true })).toMatchObject({ _tag: 'keyUsed' });
    expect(service.submitted).toHaveLength(1);
  });

  it('asks the service for nothing where that never said that it has the job', async () => {
    const service = playedService();
    const deleted: string[] = [];
    const remove = (id: string) => {
      deleted.push(id);
      return () => Promise.resolve(right({ record: true, files: 'deleted' as const }));
    };
    const { jobs, clock } = await playedGateway({ upstreams: { default: { ...service, delete: remove } } });
    service.refusal = serviceError('OutcomeUnknown', { candidates: [], startedAt: 1 });
    const { record } = await submitted({ jobs });
    await clock.advance(120_000);
    expect(await jobs.delete(alice, record.id)).toEqual({ _tag: 'deleted', files: 'kept' });
    expect(deleted).toEqual([]);
  });

  it('forgets a job whose service is gone, and one that the index has lost', async () => {
    const ports = { index: memoryJobIndex(), log: memoryEventLog() };
    const first = await playedGateway({ ...ports, upstreams: { old: playedService() } });
    const { record } = await submitted(first);
    const { jobs, clock, index } = await playedGateway(ports);
    await clock.advance(0);
    expect(await jobs.delete(alice, record.id)).toEqual({ _tag: 'deleted', files: 'kept' });
    expect(await jobs.get(alice, record.id)).toBeUndefined();

    const ended = await withEndedJob();
    await ended.index.remove(ended.id);
    expect(await ended.jobs.delete(alice, ended.id)).toEqual({ _tag: 'deleted', files: 'kept' });
    expect([await ended.jobs.get(alice, ended.id), await index.get(record.id)]).toEqual([
      undefined,
      undefined,
    ]);
  });

  it('notes the end where the index has not heard of it, and lets the job expire first', async () => {
    const gateway = await playedGateway();
    const { record } = await submitted(gateway);
    const changes: unknown[] = [];
    const index = {
      ...gateway.index,
      update: (...change: readonly unknown[]) => Promise.resolve(void changes.push(change)),
      expire: () => Promise.resolve([]),
    };
    const entry = newEntry(record, life('p1').at(-1)!);
    const registry = { get: () => undefined } as never;
    expect(await deleteJob({ clock: gateway.clock, index, registry, upstreams: {} }, entry)).toEqual({
      ...{ _tag: 'deleted', files: 'kept' },
    });
    const ended = { phase: 'completed', at: gateway.clock.wall() };
    expect(changes).toEqual([[record.id, { ended, expiresAt: 0 }]]);
  });

  it('holds after a restart', async () => {
    const ports = { index: memoryJobIndex(), log: memoryEventLog() };
    const service = playedService();
    const { jobs } = await playedGateway(ports, service);
    const { record } = await submitted({ jobs });
    for (const state of life('p1')) service.jobs[0]!.move(state);
    await settle();
    await jobs.delete(alice, record.id);
    const again = await playedGateway(ports, service);
    expect((await again.jobs.list(alice, { limit: 10 }))?.jobs).toEqual([]);
  });
});
