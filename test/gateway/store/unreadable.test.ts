import { alice, life, playedGateway, playedService, workflow } from '../support.js';
import { beforeEach, describe, expect, it } from 'vitest';
import { checkStore } from '../../../src/server/gateway/store/check/check-store.js';
import { eventLogIn } from '../../../src/server/gateway/store/event-log.js';
import { jobIndexIn } from '../../../src/server/gateway/store/job-index.js';
import type { JobIndexLimits } from '../../../src/server/gateway/store/make-room.js';
import { MemoryLevel } from 'memory-level';
import { settle } from '../../helpers/settle.js';
import { storeOf } from '../../../src/server/gateway/store/store.js';

let level: MemoryLevel;
beforeEach(() => {
  level = new MemoryLevel<string, string>({ storeEncoding: 'utf8' });
});

/** A gateway as its next start finds the store. */
const started = async (service = playedService('jobs'), limits: JobIndexLimits = {}) => {
  await level.open();
  await checkStore(level, { now: 1, all: false, repair: true, tell: () => undefined });
  const store = storeOf(level);
  return playedGateway({ index: jobIndexIn(store, limits), log: eventLogIn(store) }, service);
};

/** The id of a job that runs, and the service that has it. */
const running = async () => {
  const service = playedService('jobs');
  const gateway = await started(service);
  const answer = await gateway.jobs.submit(alice, { workflow, key: 'k', replay: true });
  if (answer._tag !== 'accepted') throw new Error(answer._tag);
  return { ...gateway, id: answer.job.record.id };
};

describe('a job whose record', () => {
  it.each(['job', 'workflow'])('T9 (%s) can’t be read ends as failed, for that reason', async (table) => {
    const first = await running();
    const other = await first.jobs.submit(alice, { workflow });
    if (other._tag !== 'accepted') throw new Error(other._tag);
    first.service.jobs[0]!.move(life(first.service.jobs[0]!.promptId)[1]!);
    await settle();
    await level.put(`${table}!${first.id}`, '00000000 {"cut');

    const { jobs, clock, index } = await started(first.service);
    await clock.advance(0);
    expect(await jobs.get(alice, first.id)).toMatchObject({
      record: { ended: { phase: 'failed' }, unreadable: true },
      state: {
        phase: 'failed',
        failure: {
          exceptionMessage: expect.stringMatching(
            /^What the gateway kept of this job can't be read any more.*The service has it as /u,
          ) as string,
        },
      },
    });
    expect((await jobs.get(alice, other.job.record.id))?.state.phase).not.toBe('failed');
    expect(await jobs.submit(alice, { workflow, key: 'k' })).toEqual({ _tag: 'keyUsed' });
    expect((await index.get(first.id))?.ended?.phase).toBe('failed');
  });

  it('T9 can’t be read, and that had ended, keeps its end and its outputs', async () => {
    const first = await running();
    for (const state of life(first.service.jobs[0]!.promptId)) first.service.jobs[0]!.move(state);
    await settle();
    await level.put(`job!${first.id}`, 'no value');
    const { jobs } = await started(first.service);
    expect(await jobs.get(alice, first.id)).toMatchObject({
      state: { phase: 'completed', outputs: { 2: { images: expect.any(Array) as unknown } } },
    });
  });

  it('T9 is there survives a restart where its key had been another job’s, more than a day ago', async () => {
    const day = 24 * 60 * 60 * 1000;
    const first = await running();
    for (const state of life(first.service.jobs[0]!.promptId)) first.service.jobs[0]!.move(state);
    await first.clock.advance(2 * day);
    const again = await first.jobs.submit(alice, { workflow, key: 'k', replay: true });
    if (again._tag !== 'accepted') throw new Error(again._tag);
    expect([again.replayed, again.job.record.id === first.id]).toEqual([false, false]);
    const { jobs } = await started(first.service);
    expect((await jobs.list(alice, { limit: 9 }))?.jobs.map(({ record }) => record.id)).toEqual([
      again.job.record.id,
    ]);
    expect(await jobs.submit(alice, { workflow, key: 'k', replay: true })).toMatchObject({
      ...{ _tag: 'accepted', replayed: true, job: { record: { id: again.job.record.id } } },
    });
  });

  it('T9 is there and that goes on stays where a restart allows fewer jobs', async () => {
    const first = await running();
    const ids = [first.id];
    for (let count = 0; count < 3; count += 1) {
      const answer = await first.jobs.submit(alice, { workflow });
      if (answer._tag === 'accepted') ids.unshift(answer.job.record.id);
    }
    const { jobs } = await started(first.service, { maxJobs: 2 });
    expect((await jobs.list(alice, { limit: 9 }))?.jobs.map(({ record }) => record.id)).toEqual(ids);
    expect(await jobs.submit(alice, { workflow })).toMatchObject({ _tag: 'limit' });
    for (const { move, promptId } of first.service.jobs) for (const state of life(promptId)) move(state);
    await settle();
    expect(await jobs.submit(alice, { workflow })).toMatchObject({ _tag: 'accepted' });
  });
});
