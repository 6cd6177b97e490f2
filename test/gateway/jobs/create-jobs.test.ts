import { describe, expect, it } from 'vitest';
import { alice, bob, life, playedGateway, playedService, submitted, workflow } from '../support.js';
import { left } from '../../../src/core/protocol/either.js';
import { memoryEventLog } from '../../../src/server/gateway/store/memory-event-log.js';
import { memoryJobIndex } from '../../../src/server/gateway/store/memory-job-index.js';
import { serviceError } from '../../../src/core/errors/service-error.js';
import { playedTarget, secret } from '../webhooks/support.js';
import { runs } from '../../helpers/runs.js';
import { settle } from '../../helpers/settle.js';

describe('createJobs', () => {
  it('submits once for a thousand equal submissions at once that ask for a replay, ten thousand in all runs', async () => {
    const { jobs, service } = await playedGateway();
    const answers = await Promise.all(
      Array.from({ length: runs(10_000) }, () => jobs.submit(alice, { workflow, key: 'k', replay: true })),
    );
    expect(service.submitted).toHaveLength(1);
    const ids = answers.map((answer) => (answer._tag === 'accepted' ? answer.job.record.id : answer._tag));
    expect(new Set(ids).size).toBe(1);
    expect(answers.filter((answer) => answer._tag === 'accepted' && !answer.replayed)).toHaveLength(1);
  });

  it('takes one of a thousand equal submissions at once that ask for no replay, ten thousand in all runs', async () => {
    const { jobs, service } = await playedGateway();
    const answers = await Promise.all(
      Array.from({ length: runs(10_000) }, () => jobs.submit(alice, { workflow, key: 'k' })),
    );
    expect(service.submitted).toHaveLength(1);
    expect(answers.filter(({ _tag }) => _tag === 'keyUsed')).toHaveLength(runs(10_000) - 1);
  });

  it('replays a key to its owner and for its workflow alone', async () => {
    const { jobs } = await playedGateway();
    const first = await jobs.submit(alice, { workflow, key: 'k' });
    expect(await jobs.submit(alice, { workflow, key: 'k', replay: true })).toMatchObject({
      _tag: 'accepted',
      replayed: true,
      job: first._tag === 'accepted' && { record: { id: first.job.record.id } },
    });
    const other = { 1: workflow[1] };
    expect(await jobs.submit(alice, { workflow: other, key: 'k', replay: true })).toEqual({
      _tag: 'keyUsed',
    });
    expect(await jobs.submit(bob, { workflow, key: 'k' })).toMatchObject({ replayed: false });
  });

  it('frees the key of a refused submission, and keeps that of an unknown one', async () => {
    const { jobs, service, clock } = await playedGateway();
    service.refusal = serviceError('QueueFull', {});
    expect(await jobs.submit(alice, { workflow, key: 'k' })).toMatchObject({ _tag: 'refused' });
    expect((await jobs.list(alice, { limit: 10 }))?.jobs).toEqual([]);
    service.refusal = serviceError('OutcomeUnknown', { candidates: ['c'], startedAt: 1 });
    expect(await jobs.submit(alice, { workflow, key: 'k' })).toMatchObject({
      _tag: 'accepted',
      error: { _tag: 'OutcomeUnknown' },
      job: { state: { phase: 'submitting' } },
    });
    await clock.advance(120_000);
    expect((await jobs.list(alice, { limit: 1 }))?.jobs).toMatchObject([
      { state: { phase: 'unknown', failure: { candidates: ['c'], startedAt: 1 } } },
    ]);
    service.refusal = undefined;
    expect(await jobs.submit(alice, { workflow, key: 'k' })).toEqual({ _tag: 'keyUsed' });
    expect(service.submitted).toHaveLength(2);
  });

  it('knows a job for its owner alone, and answers from the last known state', async () => {
    const gateway = await playedGateway();
    const { jobs, service } = gateway;
    const { record } = await submitted(gateway);
    const states = life('p1');
    for (const state of states.slice(0, 4)) service.jobs[0]!.move(state);
    await settle();
    service.jobs[0]!.fail(serviceError('ServerError', {}));
    expect((await jobs.get(alice, record.id))?.state).toEqual(states[3]);
    expect(await jobs.get(bob, record.id)).toBeUndefined();
    expect(await jobs.cancel(bob, record.id)).toBeUndefined();
    expect((await jobs.list(bob, { limit: 10 }))?.jobs).toEqual([]);
    expect(await jobs.stream({ owner: 'bob', jobId: record.id }, form, {})).toBeUndefined();
  });

  it('limits the jobs of one owner, and lists pages by filter', async () => {
    const gateway = await playedGateway({ jobsPerOwner: 3 });
    const { jobs } = gateway;
    const ids: string[] = [];
    for (const color of ['red', 'blue', 'red']) {
      const answer = await jobs.submit(alice, { workflow, metadata: { color } });
      if (answer._tag === 'accepted') ids.push(answer.job.record.id);
    }
    expect(await jobs.submit(alice, { workflow })).toMatchObject({ _tag: 'limit' });
    expect(await jobs.submit(bob, { workflow })).toMatchObject({ _tag: 'accepted' });
    const idsOf = (page: Awaited<ReturnType<typeof jobs.list>>) => page?.jobs.map(({ record }) => record.id);
    const red = await jobs.list(alice, { limit: 1, metadata: { color: 'red' } });
    expect(idsOf(red)).toEqual([ids[2]]);
    const last = await jobs.list(alice, { limit: 1, metadata: { color: 'red' }, after: red?.next });
    expect([idsOf(last), last?.next]).toEqual([[ids[0]], undefined]);
  });

  it('limits the jobs of one owner by a limit of its own', async () => {
    const { jobs } = await playedGateway({ jobsPerOwner: 2 });
    const guest = { name: 'guest', limits: { jobs: 1 } };
    expect(await jobs.submit(guest, { workflow })).toMatchObject({ _tag: 'accepted' });
    expect(await jobs.submit(guest, { workflow })).toMatchObject({ _tag: 'limit' });
    const worker = { name: 'worker', limits: { jobs: 3 } };
    for (let count = 0; count < 3; count += 1)
      expect(await jobs.submit(worker, { workflow })).toMatchObject({ _tag: 'accepted' });
    expect(await jobs.submit(worker, { workflow })).toMatchObject({ _tag: 'limit' });
  });

  it('goes on with a list from a job that is forgotten, and knows no other cursor', async () => {
    const gateway = await playedGateway({ retentionMs: 60_000 });
    const { jobs, service, clock } = gateway;
    const old = await submitted(gateway);
    await clock.advance(1_000);
    await submitted(gateway);
    await clock.advance(1_000);
    const newest = await submitted(gateway);
    const first = await jobs.list(alice, { limit: 2 });
    expect(first?.jobs.map(({ record }) => record.id)).toContain(newest.record.id);
    service.jobs[1]!.move(life('p2').at(-1)!);
    await clock.advance(180_000);
    expect(await jobs.get(alice, first!.jobs[1]!.record.id)).toBeUndefined();
    const rest = await jobs.list(alice, { limit: 2, after: first?.next });
    expect(rest?.jobs.map(({ record }) => record.id)).toEqual([old.record.id]);
    for (const after of ['', 'x', '_', 'zzzzzzzzzzzz_a', `${first?.next}${'x'.repeat(99)}`])
      expect(await jobs.list(alice, { limit: 2, after })).toBeUndefined();
  });

  it('remembers a cancellation, also for a job that then vanishes', async () => {
    const gateway = await playedGateway();
    const { jobs, service, log, clock } = gateway;
    const { record } = await submitted(gateway);
    expect(await jobs.cancel(alice, record.id)).toMatchObject({ _tag: 'taken', requested: true });
    expect(service.cancelled).toEqual(['p1']);
    const { events } = await log.read({ owner: 'alice', jobId: record.id }, undefined, 9);
    expect(events.at(-1)?.event).toEqual({ type: 'cancelRequested', at: clock.wall() });
    service.jobs[0]!.move({ ...life('p1')[0]!, phase: 'untraceable' });
    await settle();
    expect((await jobs.get(alice, record.id))?.state.phase).toBe('cancelled');
    expect(await jobs.cancel(alice, record.id)).toMatchObject({ _tag: 'taken', requested: false });
    expect(service.cancelled).toHaveLength(1);
  });

  it('asks the service for the end of no job that it has not found yet, and remembers the wish', async () => {
    const { jobs, service, clock } = await playedGateway();
    service.refusal = serviceError('OutcomeUnknown', { candidates: [], startedAt: 1 });
    const answer = await jobs.submit(alice, { workflow });
    const id = answer._tag === 'accepted' ? answer.job.record.id : answer._tag;
    expect(await jobs.cancel(alice, id)).toMatchObject({ _tag: 'taken', requested: true });
    expect(service.cancelled).toEqual([]);
    expect((await jobs.get(alice, id))?.record.cancelRequestedAt).toBe(clock.wall());
  });

  it('forgets a job after its time', async () => {
    const gateway = await playedGateway({ retentionMs: 120_000 });
    const { jobs, service, clock } = gateway;
    const { record } = await submitted(gateway);
    await clock.advance(600_000);
    expect(await jobs.get(alice, record.id)).toBeDefined();
    service.jobs[0]!.move(life('p1').at(-1)!);
    await clock.advance(60_000);
    expect((await jobs.get(alice, record.id))?.record.ended?.phase).toBe('completed');
    await clock.advance(120_000);
    expect(await jobs.get(alice, record.id)).toBeUndefined();
    const { events } = await gateway.log.read({ owner: 'alice', jobId: record.id }, undefined, 9);
    expect(events).toEqual([]);
  });

  it('passes a cancellation on by the id that the service knows, and says why it was not taken', async () => {
    const service = playedService('jobs');
    const gateway = await playedGateway({}, service);
    const { jobs, index } = gateway;
    const { record } = await submitted(gateway);
    const first = await jobs.cancel(alice, record.id);
    const asked = (await index.get(record.id))?.cancelRequestedAt;
    expect(asked).toBe(gateway.clock.wall());
    await gateway.clock.advance(1_000);
    // It is asked for again, and the first time stays.
    const again = await jobs.cancel(alice, record.id);
    expect([first?._tag, again?._tag, (await index.get(record.id))?.cancelRequestedAt]).toEqual([
      ...['taken', 'taken', asked],
    ]);
    expect(service.cancelled).toEqual([record.submissionId, record.submissionId]);
    const error = serviceError('Network', { code: 'X', sent: true });
    const failing = await playedGateway(
      {},
      Object.assign(playedService(), { cancel: () => () => Promise.resolve(left(error)) }),
    );
    const other = await submitted(failing);
    expect(await failing.jobs.cancel(alice, other.record.id)).toMatchObject({
      ...{ _tag: 'failed', error, job: { record: { id: other.record.id } } },
    });
    // A job that is over needs no end.
    const late = await playedGateway(
      {},
      Object.assign(playedService(), {
        cancel: () => async () => {
          late.service.jobs[0]!.move(life('p1').at(-1)!);
          await settle();
          return left(error);
        },
      }),
    );
    const over = await submitted(late);
    expect(await late.jobs.cancel(alice, over.record.id)).toMatchObject({ _tag: 'taken', requested: true });
  });

  it('knows when a job began and ended, by the service’s clock or else its own', async () => {
    const gateway = await playedGateway();
    const { jobs, service, clock } = gateway;
    const told = await submitted(gateway);
    const silent = await submitted(gateway);
    const running = { ...life('p2')[0]!, phase: 'in_progress' } as const;
    const ended = { ...running, phase: 'completed', progress: 1 } as const;
    for (const state of life('p1')) service.jobs[0]!.move(state);
    await clock.advance(1_000);
    service.jobs[1]!.move(running);
    await clock.advance(1_000);
    service.jobs[1]!.move({ ...running, progress: 0.5, nodeCount: 7, exactNodes: true });
    await clock.advance(1_000);
    service.jobs[1]!.move(ended);
    await clock.advance(1_000);
    expect(await jobs.get(alice, told.record.id)).toMatchObject({ startedAt: 10, endedAt: 20 });
    const now = clock.wall();
    expect(await jobs.get(alice, silent.record.id)).toMatchObject({
      startedAt: now - 3_000,
      endedAt: now - 1_000,
    });
    const again = await playedGateway({ index: gateway.index, log: gateway.log }, service);
    expect(await again.jobs.get(alice, told.record.id)).toMatchObject({ startedAt: 10, endedAt: 20 });
    expect(await again.jobs.get(alice, silent.record.id)).toMatchObject({
      startedAt: now - 3_000,
      endedAt: now - 1_000,
    });
  });

  it('lists by phase and template, reads files where they are, and takes nothing once it is closed', async () => {
    const gateway = await playedGateway();
    const { jobs, service } = gateway;
    const { record } = await submitted(gateway);
    await jobs.submit(alice, { workflow, template: 't' });
    service.jobs[0]!.move(life('p1').at(-1)!);
    await settle();
    const ids = async (filter: object) =>
      (await jobs.list(alice, { limit: 9, ...filter }))?.jobs.map((job) => job.record.id);
    expect(await ids({ phase: ['completed', 'failed'] })).toEqual([record.id]);
    expect(await ids({ phase: ['failed'] })).toEqual([]);
    expect([(await ids({ template: 't' }))?.length, await ids({ template: 'u' })]).toEqual([1, []]);
    expect(await ids({ metadata: { a: 'b' } })).toEqual([]);
    const job = (await jobs.get(alice, record.id))!;
    expect(await jobs.view(job, { filename: 'a' })()).toMatchObject({ left: { _tag: 'NotFound' } });
    const elsewhere = { ...job, record: { ...record, client: 'gone' } };
    expect(await jobs.view(elsewhere, { filename: 'a' })()).toMatchObject({
      ...{ left: { _tag: 'NotFound', message: 'The job’s service is gone.' } },
    });
    await jobs.close();
    await jobs.close();
    expect(await jobs.submit(alice, { workflow })).toMatchObject({
      _tag: 'refused',
      error: { _tag: 'Closed' },
    });
    expect(gateway.clock.pending()).toBe(0);
  });

  it('sends what happens to the webhook of the owner, where it has a sender', async () => {
    expect((await playedGateway()).jobs.webhooks).toBeUndefined();
    const target = playedTarget();
    const gateway = await playedGateway({ webhooks: { sender: target } });
    const url = 'https://target.example/hook';
    await gateway.jobs.webhooks?.put('alice', { url, events: ['job.submitted'], secrets: [secret] });
    const { record } = await submitted(gateway);
    expect(await target.got(1)).toMatchObject([{ url, type: 'job.submitted', job: record.id }]);
    await gateway.jobs.close();
  });

  it('closes in a bounded time while a submission gets no answer, and waits for one that does', async () => {
    const answered = await playedGateway();
    let answer = (): void => undefined;
    answered.service.gate = new Promise((resolve) => (answer = resolve));
    const accepted = answered.jobs.submit(alice, { workflow });
    await settle();
    const closed = answered.jobs.close();
    answer();
    expect(await accepted).toMatchObject({ _tag: 'accepted' });
    await closed;

    const { jobs, service, clock } = await playedGateway();
    service.gate = new Promise(() => undefined);
    void jobs.submit(alice, { workflow });
    await settle();
    let isClosed = false;
    const closing = jobs.close().then(() => (isClosed = true));
    await clock.advance(4_999);
    expect(isClosed).toBe(false);
    await clock.advance(1);
    await closing;
  });

  describe('after a restart over the same ports', () => {
    const restarted = async (submissionIds: 'jobs' | 'keys' | 'none') => {
      const index = memoryJobIndex();
      const log = memoryEventLog();
      const service = playedService(submissionIds);
      const first = await playedGateway({ index, log }, service);
      return { first, service, again: () => playedGateway({ index, log }, service) };
    };

    it('goes on with a job, and never submits it again', async () => {
      const { first, service, again } = await restarted('none');
      const { record } = await submitted(first);
      const states = life('p1');
      for (const state of states.slice(0, 4)) service.jobs[0]!.move(state);
      await settle();
      const second = await again();
      // What the service tells a follower that has just come.
      service.jobs[0]!.move({ ...states[0]!, phase: 'in_progress' });
      await settle();
      expect((await second.jobs.get(alice, record.id))?.state).toMatchObject({
        phase: 'in_progress',
        outputs: states[3]!.outputs,
      });
      service.jobs[0]!.move(states.at(-1)!);
      await settle();
      expect((await second.jobs.get(alice, record.id))?.state).toEqual(states.at(-1));
      const third = await again();
      expect((await third.jobs.get(alice, record.id))?.state).toEqual(states.at(-1));
      expect(service.submitted).toHaveLength(1);
    });

    it.each([
      ['jobs', true, 'in_progress'],
      ['jobs', false, 'failed'],
      ['keys', true, 'unknown'],
      ['none', false, 'unknown'],
    ] as const)(
      'finds out about an answer that never came (ids are %s, arrived: %s)',
      async (submissionIds, arrived, phase) => {
        const { first, service, again } = await restarted(submissionIds);
        service.gate = new Promise(() => undefined);
        void first.jobs.submit(alice, { workflow, key: 'k' });
        await settle();
        if (arrived) {
          const submissionId = service.submitted[0]!.submissionId!;
          service.arrive(submissionId);
          service.jobs[0]!.move(life(submissionId)[1]!);
        }
        const known = service.submitted.length;
        const second = await again();
        await second.clock.advance(120_000);
        const [job] = (await second.jobs.list(alice, { limit: 1 }))?.jobs ?? [];
        expect(job?.state.phase).toBe(phase);
        expect(await second.jobs.submit(alice, { workflow, key: 'k' })).toEqual({ _tag: 'keyUsed' });
        expect(service.submitted).toHaveLength(known);
      },
    );
  });
});

const form = { view: 'native', format: 'sse', base: '' } as const;
