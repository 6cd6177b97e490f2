import { alice, life, playedGateway, playedService, workflow } from '../support.js';
import { describe, expect, it } from 'vitest';
import { memoryEventLog } from '../../../src/server/gateway/store/memory-event-log.js';
import { memoryJobIndex } from '../../../src/server/gateway/store/memory-job-index.js';
import { NEVER } from 'rxjs';
import type { PlayedService } from '../support.js';
import type { Upstream } from '../../../src/server/gateway/upstream/upstream.js';

const keyed = { workflow, key: 'k', replay: true };

/** A service whose next submission goes another way. */
const failingOnce = (service: PlayedService, submit: Upstream['submit']) => {
  const { submit: usual } = service;
  return Object.assign(service, {
    submit: (...args: Parameters<Upstream['submit']>) => {
      Object.assign(service, { submit: usual });
      return submit(...args);
    },
  });
};

describe('a submission that throws', () => {
  it('T6 before it leaves leaves nothing behind: its key is free', async () => {
    const service = failingOnce(playedService(), () => {
      throw new RangeError('Maximum call stack size exceeded');
    });
    const { jobs, index } = await playedGateway({}, service);
    await expect(jobs.submit(alice, keyed)).rejects.toThrow('Maximum call stack');
    expect(await index.list('alice', { limit: 9 })).toEqual([]);
    expect(await jobs.submit(alice, keyed)).toMatchObject({ _tag: 'accepted', replayed: false });
  });

  it.each([
    ['jobs', 'failed'],
    ['none', 'unknown'],
  ] as const)(
    'T6 while it is under way is a job that its key answers with (ids: %s, then %s)',
    async (ids, phase) => {
      const service = failingOnce(
        playedService(ids),
        () => () => Promise.reject(new Error('OOM command not allowed')),
      );
      const { jobs, clock } = await playedGateway({}, service);
      expect(await jobs.submit(alice, keyed)).toMatchObject({
        _tag: 'accepted',
        error: { _tag: 'OutcomeUnknown', cause: { message: 'OOM command not allowed' } },
      });
      await clock.advance(300_000);
      expect(await jobs.submit(alice, keyed)).toMatchObject({
        ...{ _tag: 'accepted', replayed: true, job: { state: { phase } } },
      });
      expect(service.submitted).toEqual([]);
    },
  );

  it('T6 is refused, and leaves nothing behind, where the gateway has the client of its files no more', async () => {
    const { jobs, index, service } = await playedGateway();
    expect(await jobs.submit(alice, { ...keyed, client: 'renamed' })).toMatchObject({
      ...{ _tag: 'refused', error: { _tag: 'NotSupported' } },
    });
    expect([await index.list('alice', { limit: 9 }), service.submitted]).toEqual([[], []]);
    expect(await jobs.submit(alice, keyed)).toMatchObject({ _tag: 'accepted', replayed: false });
  });

  it('T6 counts once against the limit of its owner, also while its first event is written', async () => {
    let store = (): void => undefined;
    const log = memoryEventLog();
    const gate = new Promise<void>((resolve) => (store = resolve));
    const { jobs, clock } = await playedGateway({
      jobsPerOwner: 2,
      log: { ...log, append: async (...args) => gate.then(() => log.append(...args)) },
    });
    const first = jobs.submit(alice, { workflow });
    await clock.advance(0);
    const second = jobs.submit(alice, { workflow });
    await clock.advance(0);
    expect(await jobs.submit(alice, { workflow })).toMatchObject({ _tag: 'limit' });
    store();
    expect([(await first)._tag, (await second)._tag]).toEqual(['accepted', 'accepted']);
  });
});

describe('a gateway that is killed', () => {
  it('T8 twice before a submission left says that it failed, which is safe to repeat', async () => {
    const ports = { index: memoryJobIndex(), log: memoryEventLog() };
    const service = playedService('jobs');
    service.gate = new Promise(() => undefined);
    const first = await playedGateway(ports, service);
    void first.jobs.submit(alice, { workflow });
    await first.clock.advance(0);
    // The second one is killed before the service answers for the job.
    const silent = playedService('jobs');
    Object.assign(silent, { job: (promptId: string) => ({ promptId, states: NEVER, frames: NEVER }) });
    await playedGateway(ports, silent);
    const third = await playedGateway(ports, playedService('jobs'));
    await third.clock.advance(1_000);
    const [job] = (await third.jobs.list(alice, { limit: 1 }))!.jobs;
    expect(job?.state).toMatchObject({ phase: 'failed' });
  });

  it('T8 after the service took a job says that it is untraceable where the service lost it', async () => {
    const ports = { index: memoryJobIndex(), log: memoryEventLog() };
    const first = await playedGateway(ports, playedService('jobs'));
    await first.jobs.submit(alice, { workflow });
    const later = await playedGateway(ports, playedService('jobs'));
    await later.clock.advance(1_000);
    expect((await later.jobs.list(alice, { limit: 1 }))!.jobs[0]?.state.phase).toBe('untraceable');
  });

  it('T7 asks again for the ends that callers asked for', async () => {
    const ports = { index: memoryJobIndex(), log: memoryEventLog() };
    const service = playedService();
    const first = await playedGateway(ports, service);
    const answer = await first.jobs.submit(alice, { workflow });
    if (answer._tag !== 'accepted') throw new Error(answer._tag);
    await first.jobs.cancel(alice, answer.job.record.id);
    const second = await playedGateway(ports, service);
    await second.clock.advance(5_000);
    expect(service.cancelled).toEqual(['p1', 'p1', 'p1']);
    service.jobs[0]!.move({ ...life('p1')[1]!, phase: 'cancelled' });
    await second.clock.advance(120_000);
    expect(service.cancelled).toHaveLength(3);
    expect(second.clock.pending()).toBeLessThan(4);
  });

  it('T9 ends the jobs of a client that it has no more, and says why', async () => {
    const ports = { index: memoryJobIndex(), log: memoryEventLog() };
    const first = await playedGateway({ ...ports, upstreams: { old: playedService() } });
    await first.jobs.submit(alice, { workflow });
    const second = await playedGateway({ ...ports, upstreams: { renamed: playedService() } });
    await second.clock.advance(0);
    const [job] = (await second.jobs.list(alice, { limit: 1 }))!.jobs;
    expect(job).toMatchObject({
      record: { ended: { phase: 'untraceable' } },
      state: {
        phase: 'untraceable',
        failure: {
          exceptionMessage: "The gateway has no client old any more, so it can't follow the job.",
        },
      },
    });
  });
});
