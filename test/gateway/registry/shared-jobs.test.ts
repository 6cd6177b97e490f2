import { describe, expect, it } from 'vitest';
import {
  alice,
  bob,
  life,
  openReader,
  playedGateway,
  type PlayedGateway,
  playedService,
  submitted,
  workflow,
} from '../support.js';
import { applyJobEvent } from '../../../src/core/events/apply-job-event.js';
import type { JobLogEvent } from '../../../src/core/events/job-log-event.js';
import type { JobState } from '../../../src/core/state/job-state.js';
import { leasedPorts } from '../leased-ports.js';
import { NEVER } from 'rxjs';
import { virtualClock } from '../../../src/testing/virtual-clock.js';
import { settle } from '../../helpers/settle.js';

/** Two processes over one index, one log and one service; no word of the other one's events reaches them where `isSilent`. */
const twoProcesses = async ({ isSilent = false } = {}) => {
  const clock = virtualClock();
  const service = playedService();
  const followed: string[] = [];
  const counted = {
    ...service,
    job: (promptId: string) => {
      followed.push(promptId);
      return service.job(promptId);
    },
  };
  const { portsOf, cutOff, log } = leasedPorts(clock);
  const start = (name: string) => {
    const { index, log: own } = portsOf(name);
    const ports = { index, log: isSilent ? { ...own, changes: NEVER } : own };
    return playedGateway({ clock, ...ports, upstreams: { default: counted } }, service);
  };
  return { clock, service, followed, cutOff, log, start, one: await start('one'), two: await start('two') };
};

const scopeOf = (jobId?: string) => ({ owner: 'alice', ...(jobId !== undefined && { jobId }) });
const stateIn = async ({ jobs }: PlayedGateway, id: string) => (await jobs.get(alice, id))?.state;

describe('two processes over one index and log', () => {
  it('serve the document, the list and the streams of a job that the other one submitted', async () => {
    const { service, followed, one, two } = await twoProcesses();
    const early = await openReader(two, scopeOf());
    expect((await early.next())?.data).toEqual({ jobs: [] });
    const { record } = await submitted(one);
    expect(await stateIn(two, record.id)).toMatchObject({ phase: 'pending', promptId: 'p1' });
    expect(await two.jobs.get(bob, record.id)).toBeUndefined();
    const ofJob = await openReader(two, scopeOf(record.id));
    const first = await ofJob.next();
    const snapshot = first?.data['jobs'] as readonly { readonly state: JobState }[];

    const states = life('p1');
    for (const state of states) service.jobs[0]!.move(state);
    const events = await ofJob.rest();
    expect(events.map(({ event }) => event)).toEqual(['status', 'output', 'output', 'status']);
    const last = events
      .map(({ data }) => data as unknown as JobLogEvent)
      .reduce(applyJobEvent, snapshot[0]!.state);
    expect({ ...last, job: undefined, promptId: 'p1' }).toMatchObject(states.at(-1)!);
    expect(await stateIn(two, record.id)).toEqual(states.at(-1));
    expect((await two.jobs.list(alice, { limit: 5 }))?.jobs.map(({ record: { id } }) => id)).toEqual([
      record.id,
    ]);
    const ofAll = [];
    while (ofAll.length < 5) {
      const next = await early.next();
      if (next?.event !== 'progress') ofAll.push(next?.event);
    }
    expect(ofAll).toEqual(['submitted', 'status', 'output', 'output', 'status']);
    await early.cut();
    expect(followed).toEqual([]);
  });

  it('show the jobs of both in one order, without a hole and without a double', async () => {
    const { service, log, one, two } = await twoProcesses();
    const readers = await Promise.all(
      [one, two].map((gateway) => openReader(gateway, scopeOf(), { from: 'start' })),
    );
    await Promise.all([one, two, one, two].map((gateway) => submitted(gateway)));
    for (let step = 1; step < 7; step += 1) {
      for (const [place, job] of service.jobs.entries()) {
        const state = life(`p${place + 1}`)[step];
        if (state !== undefined) job.move(state);
      }
      if (step % 2 === 0) await settle();
    }
    await settle();
    const { events } = await log.read({ owner: 'alice' }, undefined, 1_000);
    expect(events).toHaveLength(4 * 5);
    for (const reader of readers) {
      const read = [];
      while (read.length < events.length) {
        const next = await reader.next();
        if (next?.event !== 'progress') read.push(next?.id);
      }
      expect(read).toEqual(events.map(({ id }) => id));
      await reader.cut();
    }
  });

  it('cancel a job of the other one, which then knows of it', async () => {
    const { service, one, two } = await twoProcesses();
    const { record } = await submitted(one);
    expect(await two.jobs.cancel(alice, record.id)).toMatchObject({ _tag: 'taken', requested: true });
    expect(service.cancelled).toEqual(['p1']);
    expect((await one.jobs.get(alice, record.id))?.record.cancelRequestedAt).toBeDefined();
    service.jobs[0]!.move({ ...life('p1')[0]!, phase: 'untraceable' });
    await settle();
    for (const gateway of [one, two]) expect((await stateIn(gateway, record.id))?.phase).toBe('cancelled');
  });

  it('keep a running state where a cancellation of the other process meets it', async () => {
    const { service, one, two } = await twoProcesses();
    const { record } = await submitted(one);
    await two.jobs.get(alice, record.id);
    service.jobs[0]!.move(life('p1')[1]!);
    await two.jobs.cancel(alice, record.id);
    await settle();
    for (const gateway of [one, two]) expect((await stateIn(gateway, record.id))?.phase).toBe('in_progress');
  });

  it('answer a repeated submission at the other process, also while the first one waits', async () => {
    const { clock, service, one, two } = await twoProcesses();
    let answer = (): void => undefined;
    service.gate = new Promise((resolve) => (answer = resolve));
    const submission = { workflow, key: 'k', replay: true };
    const first = one.jobs.submit(alice, submission);
    await settle();
    const second = two.jobs.submit(alice, submission);
    await clock.advance(1_000);
    answer();
    const job = { record: { id: expect.any(String) as string } };
    const accepted = await first;
    expect(accepted).toMatchObject({ _tag: 'accepted', replayed: false, job });
    expect(await clock.until(second)).toMatchObject({
      ...{ _tag: 'accepted', replayed: true },
      job: { record: { id: accepted._tag === 'accepted' && accepted.job.record.id } },
    });
    expect(service.submitted).toHaveLength(1);
  });

  it('leave the jobs of a process that ends to the other one, at once or when its lease is over', async () => {
    const { clock, service, followed, one, two, start } = await twoProcesses();
    const { record } = await submitted(one);
    await clock.advance(60_000);
    expect(followed).toEqual([]);
    await one.jobs.close();
    await clock.advance(10_000);
    expect(followed).toEqual(['p1']);
    service.jobs[0]!.move(life('p1')[1]!);
    await settle();
    expect((await stateIn(two, record.id))?.phase).toBe('in_progress');
    const third = await start('three');
    expect(followed).toEqual(['p1']);
    service.jobs[0]!.move(life('p1').at(-1)!);
    await settle();
    expect((await stateIn(third, record.id))?.phase).toBe('completed');
  });

  it('go on where one of them reaches neither index nor log for a while, and then follow each job once', async () => {
    const { clock, service, followed, cutOff, log, one, two } = await twoProcesses();
    const { record } = await submitted(one);
    cutOff.add('one');
    await clock.advance(60_000);
    expect(followed).toEqual(['p1']);
    const states = life('p1');
    service.jobs[0]!.move(states[1]!);
    await settle();
    expect((await stateIn(two, record.id))?.phase).toBe('in_progress');
    expect((await clock.until(stateIn(one, record.id)))?.phase).toBe('pending');
    cutOff.delete('one');
    await clock.advance(11_000);
    for (const state of states.slice(2)) service.jobs[0]!.move(state);
    await settle();
    for (const gateway of [one, two]) expect(await stateIn(gateway, record.id)).toEqual(states.at(-1));
    const { events } = await log.read(scopeOf(record.id), undefined, 100);
    const names = events.map(({ event }) => event.type);
    // Both had seen it run before the first one heard that it had lost the job.
    expect(names.filter((name) => name !== 'status')).toEqual(['submitted', 'output', 'output']);
    expect(names.at(-1)).toBe('status');
  });

  it('forget a job that the other one removed', async () => {
    const { clock, service, one, two } = await twoProcesses();
    const { record } = await submitted(one);
    service.jobs[0]!.move(life('p1').at(-1)!);
    await settle();
    expect(await stateIn(two, record.id)).toBeDefined();
    await clock.advance(25 * 60 * 60 * 1_000);
    for (const gateway of [one, two]) {
      expect(await gateway.jobs.get(alice, record.id)).toBeUndefined();
      expect((await gateway.jobs.list(alice, { limit: 5 }))?.jobs).toEqual([]);
    }
  });

  it.each(['document', 'list', 'stream', 'stream of the job', 'cancellation'] as const)(
    'give the %s of a job by the log itself, where the news of the other one got lost',
    async (asked) => {
      const { service, one, two } = await twoProcesses({ isSilent: true });
      const { record } = await submitted(one);
      service.jobs[0]!.move(life('p1')[1]!);
      await settle();
      const snapshot = async (jobId?: string) => {
        const reader = await openReader(two, scopeOf(jobId));
        const jobs = (await reader.next())?.data['jobs'] as readonly { readonly state: JobState }[];
        await reader.cut();
        return jobs[0]?.state.phase;
      };
      const phase = {
        document: async () => (await stateIn(two, record.id))?.phase,
        list: async () => (await two.jobs.list(alice, { limit: 9 }))?.jobs[0]?.state.phase,
        stream: () => snapshot(),
        'stream of the job': () => snapshot(record.id),
        cancellation: async () => (await two.jobs.cancel(alice, record.id))?.job.state.phase,
      }[asked];
      expect(await phase()).toBe('in_progress');
    },
  );

  it('serve nothing of a job that the other one has removed just now', async () => {
    const { one, two } = await twoProcesses();
    const { record } = await submitted(one);
    expect(await stateIn(two, record.id)).toBeDefined();
    await one.index.remove(record.id);
    expect(await two.jobs.cancel(alice, record.id)).toBeUndefined();
    expect(await stateIn(two, record.id)).toBeUndefined();
    expect(await two.jobs.stream(scopeOf(record.id), nativeForm, {})).toBeUndefined();
    expect((await two.jobs.list(alice, { limit: 5 }))?.jobs).toEqual([]);
  });

  it('take a job down within a minute after its time, and ask the index for none whose time has not come', async () => {
    const clock = virtualClock();
    const service = playedService();
    const asked: string[] = [];
    const { portsOf } = leasedPorts(clock);
    const [plain, watched] = [portsOf('three'), portsOf('four')];
    const start = (ports: typeof plain) => playedGateway({ clock, ...ports, retentionMs: 600_000 }, service);
    const one = await start(plain);
    const get: typeof plain.index.get = (id) => {
      asked.push(id);
      return watched.index.get(id);
    };
    // Only the first one removes what is over.
    const two = await start({
      ...watched,
      index: { ...watched.index, get, expire: () => Promise.resolve([]) },
    });
    const [over, on] = [await submitted(one), await submitted(one)];
    service.jobs[0]!.move(life('p1').at(-1)!);
    await settle();
    const shown = async () => {
      const reader = await openReader(two, scopeOf());
      const jobs = (await reader.next())?.data['jobs'] as readonly { readonly id: string }[];
      await reader.cut();
      return jobs.map(({ id }) => id).toSorted();
    };
    expect(await shown()).toEqual([over.record.id, on.record.id].toSorted());
    asked.length = 0;
    await clock.advance(540_000);
    expect(asked).toEqual([]);
    await clock.advance(120_000);
    expect(new Set(asked)).toEqual(new Set([over.record.id]));
    expect(await shown()).toEqual([on.record.id]);
  });

  it('go on from what the log says where they take a job over, also where the news of it got lost', async () => {
    const { clock, service, log, one, two } = await twoProcesses({ isSilent: true });
    const { record } = await submitted(one);
    expect((await stateIn(two, record.id))?.phase).toBe('pending');
    for (const state of life('p1').slice(0, 4)) service.jobs[0]!.move(state);
    await settle();
    await one.jobs.close();
    await clock.advance(11_000);
    service.jobs[0]!.move(life('p1').at(-1)!);
    await settle();
    const { events } = await log.read(scopeOf(record.id), undefined, 99);
    expect(events.map(({ event }) => event.type)).toEqual([
      'submitted',
      'status',
      'output',
      'output',
      'status',
    ]);
    expect(await stateIn(two, record.id)).toEqual(life('p1').at(-1));
  });

  it('keep a job whose submission waits for its answer, however long that takes', async () => {
    const { clock, service, log, one, two } = await twoProcesses();
    const before = await submitted(one);
    let answer = (): void => undefined;
    service.gate = new Promise((resolve) => (answer = resolve));
    const accepted = one.jobs.submit(alice, { workflow });
    await clock.advance(120_000);
    answer();
    expect(await accepted).toMatchObject({ _tag: 'accepted', job: { state: { phase: 'pending' } } });
    for (const [place, job] of service.jobs.entries()) job.move(life(`p${place + 1}`).at(-1)!);
    await settle();
    const { events } = await log.read(scopeOf(), undefined, 99);
    expect(events.filter(({ event }) => event.type === 'submitted')).toHaveLength(2);
    expect((await stateIn(two, before.record.id))?.phase).toBe('completed');
  });
});

const nativeForm = { view: 'native', format: 'sse', base: 'http://gateway.test' } as const;
