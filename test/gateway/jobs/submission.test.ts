import { describe, expect, it } from 'vitest';
import { alice, bob, life, playedGateway, playedService, workflow } from '../support.js';
import { leasedPorts } from '../leased-ports.js';
import { markerField } from '../../../src/core/lost/match-candidates.js';
import { NEVER } from 'rxjs';
import { memoryJobIndex } from '../../../src/server/gateway/store/memory-job-index.js';
import { serviceError } from '../../../src/core/errors/service-error.js';
import type { SubmitResult } from '../../../src/server/gateway/model/gateway-jobs.js';
import { virtualClock } from '../../../src/testing/virtual-clock.js';
import { settle } from '../../helpers/settle.js';

const keyed = { workflow, key: 'k', replay: true };

/** A service that holds its answers back until `answer` is called. */
const held = (service = playedService()) => {
  let answer = (): void => undefined;
  service.gate = new Promise((resolve) => (answer = resolve));
  return { service, answer: () => answer() };
};

const idOf = (result: SubmitResult): string =>
  result._tag === 'accepted' ? result.job.record.id : result._tag;

describe('a submission with a key', () => {
  it('is a job of its own for each of two owners who use the key at once', async () => {
    const { jobs, service } = await playedGateway();
    const both = await Promise.all([alice, bob].map((owner) => jobs.submit(owner, keyed)));
    expect(both).toMatchObject([
      { _tag: 'accepted', replayed: false, job: { record: { owner: 'alice' } } },
      { _tag: 'accepted', replayed: false, job: { record: { owner: 'bob' } } },
    ]);
    expect(service.submitted).toHaveLength(2);
  });

  it('is refused where another workflow has the key, also while that one waits for its answer', async () => {
    const { service, answer } = held();
    const { jobs } = await playedGateway({}, service);
    const first = jobs.submit(alice, keyed);
    const other = jobs.submit(alice, { ...keyed, workflow: { 1: workflow[1] } });
    const silent = jobs.submit(alice, { workflow, key: 'k' });
    answer();
    expect([(await first)._tag, await other, await silent]).toEqual([
      'accepted',
      { _tag: 'keyUsed' },
      { _tag: 'keyUsed' },
    ]);
    expect(service.submitted).toHaveLength(1);
  });

  it('is taken after all where the index could not take it the first time', async () => {
    const index = memoryJobIndex();
    let isFull = true;
    const { jobs, service } = await playedGateway({
      index: {
        ...index,
        add: (record) => (isFull ? Promise.reject(new Error('The disk is full.')) : index.add(record)),
      },
    });
    await expect(jobs.submit(alice, keyed)).rejects.toThrow('The disk is full.');
    isFull = false;
    expect(await jobs.submit(alice, keyed)).toMatchObject({ _tag: 'accepted', replayed: false });
    expect(service.submitted).toHaveLength(1);
  });

  it('counts against the limit of its owner, and leaves its key free where there is no room', async () => {
    const { jobs, service, index } = await playedGateway({ jobsPerOwner: 1 });
    await jobs.submit(alice, { workflow });
    expect(await jobs.submit(alice, keyed)).toEqual({ _tag: 'limit', of: 'jobs', retryAfterS: 5 });
    expect(service.submitted).toHaveLength(1);
    expect(await index.list('alice', { limit: 9 })).toHaveLength(1);
    service.jobs[0]!.move(life('p1').at(-1)!);
    await settle();
    expect(await jobs.submit(alice, keyed)).toMatchObject({ _tag: 'accepted', replayed: false });
  });

  it('is answered with its job also where its owner may have no more', async () => {
    const { jobs, service } = await playedGateway({ jobsPerOwner: 1 });
    const first = idOf(await jobs.submit(alice, keyed));
    const again = await jobs.submit(alice, keyed);
    expect([idOf(again), again]).toMatchObject([first, { _tag: 'accepted', replayed: true }]);
    expect(service.submitted).toHaveLength(1);
  });

  it('counts from the moment at which it leaves, before the service answers', async () => {
    const { service, answer } = held();
    const { jobs } = await playedGateway({ jobsPerOwner: 1 }, service);
    const first = jobs.submit(alice, { workflow });
    await settle();
    expect(await jobs.submit(alice, { workflow })).toMatchObject({ _tag: 'limit' });
    answer();
    await first;
    service.jobs[0]!.move(life('p1').at(-1)!);
    await settle();
    expect(await jobs.submit(alice, { workflow })).toMatchObject({ _tag: 'accepted' });
  });

  it('counts each of several that wait for their answers until it has its own', async () => {
    const { jobs, service } = await playedGateway({ jobsPerOwner: 2 });
    const answers: (() => void)[] = [];
    const submit = async () => {
      service.gate = new Promise((resolve) => answers.push(resolve));
      const accepted = jobs.submit(alice, { workflow });
      await settle();
      return accepted;
    };
    const [first, second] = [submit(), await settle().then(() => [submit()])];
    await settle();
    answers[0]?.();
    await first;
    service.jobs[0]!.move(life(service.jobs[0]!.promptId).at(-1)!);
    await settle();
    const third = submit();
    await settle();
    expect(await jobs.submit(alice, { workflow })).toMatchObject({ _tag: 'limit' });
    for (const answer of answers) answer();
    expect((await Promise.all([...second, third])).map(({ _tag }) => _tag)).toEqual(['accepted', 'accepted']);
  });

  it('is told where what is kept of its owner is in the way, by the bound of all or the owner’s own', async () => {
    const { jobs, service } = await playedGateway({ bytesPerOwner: 10 });
    const full = { _tag: 'limit', of: 'keptBytes', retryAfterS: 5 };
    expect(await jobs.submit(alice, { workflow })).toEqual(full);
    const ample = { name: 'ample', limits: { keptBytes: 1_000_000 } };
    expect(await jobs.submit(ample, { workflow })).toMatchObject({ _tag: 'accepted' });
    const tight = await playedGateway();
    expect(await tight.jobs.submit({ name: 'tight', limits: { keptBytes: 10 } }, { workflow })).toEqual(full);
    expect([service.submitted.length, tight.service.submitted.length]).toEqual([1, 0]);
  });

  it('makes room by a job that is over, of which nothing is left', async () => {
    const { jobs, service, log } = await playedGateway({ index: memoryJobIndex({ maxJobs: 1 }) });
    const old = idOf(await jobs.submit(alice, { workflow }));
    expect(await jobs.submit(alice, { workflow })).toEqual({ _tag: 'limit', of: 'all', retryAfterS: 5 });
    service.jobs[0]!.move(life('p1').at(-1)!);
    await settle();
    const fresh = idOf(await jobs.submit(alice, { workflow }));
    await settle();
    expect((await jobs.list(alice, { limit: 9 }))?.jobs.map(({ record }) => record.id)).toEqual([fresh]);
    expect(await jobs.get(alice, old)).toBeUndefined();
    expect(await log.read({ owner: 'alice', jobId: old }, undefined, 9)).toEqual({ events: [], gap: true });
  });

  it('gets the refusal of the one that it repeats, and its own try where that one found no room', async () => {
    const { service, answer } = held();
    const { jobs } = await playedGateway({}, service);
    service.refusal = serviceError('QueueFull', {});
    const refused = [jobs.submit(alice, keyed), jobs.submit(alice, keyed)];
    answer();
    expect(await Promise.all(refused)).toMatchObject([{ _tag: 'refused' }, { _tag: 'refused' }]);
    expect(service.submitted).toHaveLength(1);

    const index = memoryJobIndex();
    let isFull = true;
    const full = await playedGateway({
      index: {
        ...index,
        add: (record) => {
          const wasFull = isFull;
          isFull = false;
          return wasFull ? Promise.resolve({ _tag: 'full' }) : index.add(record);
        },
      },
    });
    const both = [full.jobs.submit(alice, keyed), full.jobs.submit(alice, keyed)];
    expect(await Promise.all(both)).toMatchObject([
      { _tag: 'limit', of: 'all', retryAfterS: 5 },
      { _tag: 'accepted', replayed: false },
    ]);
    expect(full.service.submitted).toHaveLength(1);
  });

  it('says that the key is used where its job is forgotten', async () => {
    const { jobs, service, clock } = await playedGateway({ retentionMs: 60_000 });
    await jobs.submit(alice, keyed);
    service.jobs[0]!.move(life('p1').at(-1)!);
    await clock.advance(180_000);
    expect((await jobs.list(alice, { limit: 9 }))?.jobs).toEqual([]);
    expect(await jobs.submit(alice, keyed)).toEqual({ _tag: 'keyUsed' });
    expect(service.submitted).toHaveLength(1);
  });
});

describe('a submission that another process has under way', () => {
  const twoProcesses = async (isSilent = false) => {
    const clock = virtualClock();
    const { service, answer } = held();
    const { portsOf } = leasedPorts(clock);
    const { index, log } = portsOf('two');
    const [one, two] = [
      await playedGateway({ clock, ...portsOf('one') }, service),
      await playedGateway({ clock, index, log: isSilent ? { ...log, changes: NEVER } : log }, service),
    ];
    const first = one.jobs.submit(alice, keyed);
    await settle();
    const second = two.jobs.submit(alice, keyed);
    await clock.advance(1_000);
    return { clock, service, answer, first, second, two };
  };

  it('is made anew where that one is refused, which frees the key', async () => {
    const { clock, service, answer, first, second } = await twoProcesses();
    service.refusal = serviceError('QueueFull', {});
    answer();
    expect(await first).toMatchObject({ _tag: 'refused' });
    service.refusal = undefined;
    expect(await clock.until(second)).toMatchObject({ _tag: 'accepted', replayed: false });
    expect(service.submitted).toHaveLength(2);
  });

  it('is its answer as well, also where no word of the other process comes', async () => {
    const { clock, service, answer, first, second } = await twoProcesses(true);
    answer();
    const accepted = idOf(await first);
    await clock.advance(250);
    expect([idOf(await second), await second]).toMatchObject([accepted, { replayed: true }]);
    expect(service.submitted).toHaveLength(1);
  });

  it('is waited for no longer once the gateway closes', async () => {
    const { clock, service, second, two } = await twoProcesses();
    const answers: SubmitResult[] = [];
    void second.then((one) => answers.push(one));
    const closed = two.jobs.close();
    await clock.advance(1_000);
    expect(answers).toEqual([{ _tag: 'keyUsed' }]);
    await clock.advance(5_000);
    await closed;
    expect(service.submitted).toHaveLength(1);
  });
});

describe('a submission', () => {
  it('keeps what its caller said of it, and is sent in the form that the service takes', async () => {
    const { jobs, service, index } = await playedGateway();
    const sent: unknown[] = [];
    const submit = service.submit;
    Object.assign(service, {
      submit: (...args: Parameters<typeof submit>) => {
        sent.push(args);
        return submit(...args);
      },
    });
    const resolved = { 1: workflow[1] };
    const accepted = await jobs.submit(alice, {
      ...{ workflow, resolved, metadata: { color: 'red' }, template: 't', key: 'k' },
      ...{ extraData: { a: 1 }, partnerKey: 'secret' },
    });
    const record = (await index.get(idOf(accepted)))!;
    expect(record).toMatchObject({
      ...{ owner: 'alice', client: 'default', workflow, metadata: { color: 'red' }, template: 't', key: 'k' },
      promptId: 'p1',
    });
    expect(record.expiresAt - record.createdAt).toBe(24 * 60 * 60 * 1000);
    expect(JSON.stringify(record)).not.toContain('secret');
    const { submissionId } = record;
    expect(sent).toEqual([
      [resolved, { extraData: { a: 1 }, partnerKey: 'secret', submissionId, owner: 'alice' }],
    ]);
    const bare = (await index.get(idOf(await jobs.submit(alice, { workflow }))))!;
    expect(['key', 'metadata', 'template'].filter((name) => name in bare)).toEqual([]);
  });

  it('is kept whole for a service that has its jobs wait in this process, as far as its record does not tell it', async () => {
    const service = { ...playedService('jobs'), keepsJobs: true as const };
    const { jobs, index } = await playedGateway({}, service);
    const keptOf = async (submission: Parameters<typeof jobs.submit>[1]) =>
      (await index.get(idOf(await jobs.submit(alice, submission))))?.kept;
    const resolved = { 1: workflow[1] };
    const files = [{ file: { name: 'a.png', subfolder: '', type: 'input' } }] as const;
    expect(await keptOf({ workflow })).toEqual({});
    expect(await keptOf({ workflow, resolved: workflow })).toEqual({});
    expect(await keptOf({ workflow, resolved, extraData: { a: 1 }, files })).toEqual({
      ...{ workflow: resolved, extraData: { a: 1 }, files },
    });
  });

  it('whose answer is lost is the job of its id where the service takes that, or else failed', async () => {
    const service = playedService('jobs');
    const { jobs, clock } = await playedGateway({}, service);
    service.refusal = serviceError('OutcomeUnknown', { candidates: [], startedAt: 1 });
    const answer = await jobs.submit(alice, { workflow });
    expect(answer).toMatchObject({ _tag: 'accepted', replayed: false, error: { _tag: 'OutcomeUnknown' } });
    await clock.advance(1_000);
    expect((await jobs.get(alice, idOf(answer)))?.state).toMatchObject({
      phase: 'failed',
      failure: {
        exceptionMessage: 'The answer to the submission was lost, and the service knows no such job.',
      },
    });
  });

  it.each([
    ['none', 'comes'],
    ['jobs', 'comes'],
    ['none', 'is lost'],
    ['jobs', 'is lost'],
  ] as const)(
    'is followed by the process that has its lease, where this one stood still (ids are %s) until the answer %s',
    async (submissionIds, ends) => {
      const clock = virtualClock();
      const { service, answer } = held(playedService(submissionIds));
      const { portsOf, cutOff, log } = leasedPorts(clock);
      const start = (name: string) => playedGateway({ clock, ...portsOf(name) }, service);
      const [one, two] = [await start('one'), await start('two')];
      const accepted = one.jobs.submit(alice, keyed);
      await settle();
      const submissionId = service.submitted[0]!.submissionId!;
      const promptId = submissionIds === 'jobs' ? submissionId : 'p1';
      if (submissionIds === 'jobs') service.arrive(submissionId);
      cutOff.add('one');
      await clock.advance(50_000);
      cutOff.delete('one');
      if (ends === 'is lost') {
        if (submissionIds === 'none') service.arrive(promptId);
        service.refusal = serviceError('OutcomeUnknown', { candidates: [], startedAt: 1 });
      }
      answer();
      const id = idOf(await clock.until(accepted));
      // What the late answer tells is kept, whoever follows the job.
      if (ends === 'comes') expect((await two.index.get(id))?.promptId).toBe(promptId);
      service.listed = [
        { promptId, createdAt: clock.wall(), workflow, extraData: { [markerField]: submissionId } },
      ];
      for (const state of life(promptId)) service.jobs[0]!.move(state);
      await clock.advance(60_000);
      const { events } = await log.read({ owner: 'alice', jobId: id }, undefined, 99);
      expect(events.filter(({ event }) => event.type === 'submitted')).toHaveLength(1);
      for (const gateway of [one, two])
        expect((await gateway.jobs.get(alice, id))?.state).toMatchObject({ phase: 'completed' });
      expect(service.submitted).toHaveLength(1);
    },
  );
});
