import { describe, expect, it } from 'vitest';
import { alice, life, playedGateway, playedService, submitted, workflow } from '../support.js';
import { memoryEventLog } from '../../../src/server/gateway/store/memory-event-log.js';
import { memoryJobIndex } from '../../../src/server/gateway/store/memory-job-index.js';
import { serviceError } from '../../../src/core/errors/service-error.js';
import { settle } from '../../helpers/settle.js';

/** A gateway whose index and log are there for the next one, and how that one is started. */
const twoStarts = async (
  submissionIds: 'jobs' | 'none' = 'none',
  change: (
    index: ReturnType<typeof memoryJobIndex>,
  ) => Partial<ReturnType<typeof memoryJobIndex>> = () => ({}),
) => {
  const index = memoryJobIndex();
  const log = memoryEventLog();
  const service = playedService(submissionIds);
  const first = await playedGateway(
    { index: { ...index, ...change(index) }, log, retentionMs: 60_000 },
    service,
  );
  return {
    ...{ first, service, index, log },
    again: () => playedGateway({ index, log, retentionMs: 60_000 }, service),
  };
};

describe('after a start', () => {
  it('a job that ended, of which only the log knows, is over from then on and forgotten in its time', async () => {
    const { first, service, index, again } = await twoStarts('none', (real) => ({
      update: (id, change) =>
        change.ended === undefined ? real.update(id, change) : Promise.reject(new Error('The disk is full.')),
    }));
    const { record } = await submitted(first);
    const states = life('p1');
    for (const state of states) service.jobs[0]!.move(state);
    await settle();
    expect((await index.get(record.id))?.ended).toBeUndefined();

    const second = await again();
    const endedAt = states.at(-1)!.endedAt!;
    expect(await index.get(record.id)).toMatchObject({
      ended: { phase: 'completed', at: endedAt },
      expiresAt: endedAt + 60_000,
    });
    expect((await second.jobs.get(alice, record.id))?.record.ended?.phase).toBe('completed');
    await second.clock.advance(60_000);
    expect(await second.jobs.get(alice, record.id)).toBeUndefined();
    expect(await index.get(record.id)).toBeUndefined();
  });

  it('a job that vanished meanwhile is untraceable where it was submitted, and failed where it may not have been', async () => {
    const known = await twoStarts();
    const { record } = await submitted(known.first);
    known.service.jobs[0]!.fail(serviceError('NotFound', {}));
    const other = playedService();
    const later = await playedGateway({ index: known.index, log: known.log }, other);
    await later.clock.advance(1_000);
    expect((await later.jobs.get(alice, record.id))?.state.phase).toBe('untraceable');

    const open = await twoStarts('jobs');
    open.service.gate = new Promise(() => undefined);
    void open.first.jobs.submit(alice, { workflow });
    await settle();
    const { jobs } = await open.again();
    await settle();
    const [job] = (await jobs.list(alice, { limit: 1 }))!.jobs;
    expect(job?.state).toMatchObject({
      phase: 'failed',
      failure: {
        exceptionMessage:
          'The gateway stopped before the answer to the submission came, and the service knows no such job.',
      },
    });
    expect((await open.index.get(job!.record.id))?.promptId).toBeUndefined();
  });

  it('a job whose id the log alone kept is followed by it, cancelled by it and looked for by nothing else', async () => {
    const { first, service, index, again } = await twoStarts('none', (real) => ({
      update: (id, change) =>
        change.promptId === undefined
          ? real.update(id, change)
          : Promise.reject(new Error('The disk is full.')),
    }));
    const { record } = await submitted(first);
    expect((await index.get(record.id))?.promptId).toBeUndefined();
    service.listed = [];
    const second = await again();
    service.jobs[0]!.move(life('p1')[1]!);
    await second.clock.advance(120_000);
    expect(await second.jobs.get(alice, record.id)).toMatchObject({
      ...{ record: { promptId: 'p1' }, state: { phase: 'in_progress' } },
    });
    expect((await index.get(record.id))?.promptId).toBe('p1');
    await second.jobs.cancel(alice, record.id);
    expect(service.cancelled).toEqual(['p1']);
  });

  it('T7 a job whose end was asked for is asked for it again, also where the log alone kept that', async () => {
    const { first, service, again } = await twoStarts('none', (real) => ({
      update: (id, change) =>
        change.cancelRequestedAt === undefined
          ? real.update(id, change)
          : Promise.reject(new Error('The disk is full.')),
    }));
    const { record } = await submitted(first);
    await first.jobs.cancel(alice, record.id);
    await first.jobs.close();
    const second = await again();
    await settle();
    expect(service.cancelled).toEqual(['p1', 'p1']);
    expect((await second.jobs.get(alice, record.id))?.record.cancelRequestedAt).toBeDefined();
    await second.jobs.close();
  });

  it('writes nothing of jobs whose ids the index has, or nothing knows', async () => {
    const { first, service, index, log } = await twoStarts();
    await submitted(first);
    service.refusal = serviceError('OutcomeUnknown', { candidates: [], startedAt: 1 });
    await submitted(first);
    const written: unknown[] = [];
    const update = (...args: Parameters<typeof index.update>) => {
      written.push(args);
      return index.update(...args);
    };
    const second = await playedGateway({ index: { ...index, update }, log }, service);
    await second.clock.advance(0);
    expect(written).toEqual([]);
    // Where the service makes it the id of the job, the id of the submission is looked for, and not written either.
    const open = await twoStarts('jobs');
    open.service.gate = new Promise(() => undefined);
    void open.first.jobs.submit(alice, { workflow });
    await settle();
    open.service.arrive(open.service.submitted[0]!.submissionId!);
    await playedGateway({ index: { ...open.index, update }, log: open.log }, open.service);
    await settle();
    expect(written).toEqual([]);
  });

  it('lists its jobs in the order of their submission', async () => {
    const { first, again } = await twoStarts();
    const ids = [];
    for (let count = 0; count < 3; count += 1) ids.unshift((await submitted(first)).record.id);
    const { jobs } = await again();
    expect((await jobs.list(alice, { limit: 9 }))?.jobs.map(({ record }) => record.id)).toEqual(ids);
  });

  it('a job of a client that the gateway has no more is untraceable, for that reason', async () => {
    const { first, index, log } = await twoStarts();
    const { record } = await submitted(first);
    const other = playedService();
    const second = await playedGateway({ index, log, upstreams: { other } });
    await settle();
    expect((await second.jobs.get(alice, record.id))?.state).toMatchObject({
      phase: 'untraceable',
      failure: {
        exceptionMessage: "The gateway has no client default any more, so it can't follow the job.",
      },
    });
    expect((await index.get(record.id))?.ended?.phase).toBe('untraceable');
  });

  it.each([
    ['the service has', true, 'The service has it as p1.'],
    ['the service may have', false, 'The service may have it.'],
  ])('a job whose record is damaged, and which %s, fails and is not followed', async (_, isKnown, words) => {
    const { first, service, index, log } = await twoStarts();
    if (!isKnown) service.refusal = serviceError('OutcomeUnknown', { candidates: [], startedAt: 1 });
    const { record } = await submitted(first);
    const damaged = async (...args: Parameters<typeof index.list>) =>
      (await index.list(...args)).map((one) => ({ ...one, client: '', unreadable: true as const }));
    const second = await playedGateway({ index: { ...index, list: damaged }, log }, service);
    await settle();
    expect((await second.jobs.get(alice, record.id))?.state).toMatchObject({
      phase: 'failed',
      failure: {
        exceptionMessage: `What the gateway kept of this job can't be read any more, so it can't follow the job. ${words}`,
      },
    });
    expect(service.cancelled).toEqual([]);
  });
});
