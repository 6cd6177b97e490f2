import { alice, playedGateway, type PlayedGateway, readerOf, submitted, workflow } from '../support.js';
import { continuedLog } from '../../../src/server/joblog/continued-log.js';
import { describe, expect, it } from 'vitest';
import type { EventLog } from '../../../src/server/joblog/event-log.js';
import { initialJobState } from '../../../src/core/state/initial-job-state.js';
import type { JobIndex } from '../../../src/server/joblog/job-index.js';
import { memoryEventLog } from '../../../src/server/gateway/store/memory-event-log.js';
import { memoryJobIndex } from '../../../src/server/gateway/store/memory-job-index.js';
import { progressOf, statusOf } from '../../../src/core/events/state-members.js';
import { queueUpstream } from '../../../src/server/gateway/upstream/queue-upstream.js';
import { serviceError } from '../../../src/core/errors/service-error.js';
import { settle } from '../../helpers/settle.js';
import { suppliedQueue } from '../supplied-queue.js';
import { virtualClock } from '../../../src/testing/virtual-clock.js';

/** Gateways over one queue that supplies its log, with an index that they share. */
const setUp = async (
  options: {
    readonly index?: JobIndex;
    readonly former?: EventLog;
    readonly world?: ReturnType<typeof suppliedQueue>;
  } = {},
) => {
  const { index = memoryJobIndex(), former, world = suppliedQueue() } = options;
  const { queue } = world;
  const log = former === undefined ? queue.log : continuedLog(former, queue.log);
  const open = () => playedGateway({ index, log, upstreams: { default: queueUpstream(queue, undefined) } });
  return { ...world, index, open, gateway: await open() };
};

const phaseIn = async ({ jobs }: PlayedGateway, id: string) => (await jobs.get(alice, id))?.state.phase;

describe('jobs of a queue that supplies its log', () => {
  it('are read and not followed: one id, the queue’s events, and their end in the index', async () => {
    const { gateway, index, calls, write, status, queue } = await setUp();
    const { record } = await submitted(gateway);
    expect(record.submissionId).toBe(record.id);
    await status(record.id, 'in_progress');
    await write(record.id, { type: 'output', at: 6, nodeId: '2', outputs: { text: ['a'] }, added: [] });
    await settle();
    expect(await gateway.jobs.get(alice, record.id)).toMatchObject({
      state: { phase: 'in_progress', outputs: { 2: { text: ['a'] } } },
      startedAt: 5,
    });
    await status(record.id, 'completed', 7);
    await settle();
    expect(await index.get(record.id)).toMatchObject({ ended: { phase: 'completed', at: 7 } });
    expect(calls).toEqual(['add alice']);
    const { events } = await queue.log.read({ owner: 'alice' }, undefined, 99);
    expect(events.map(({ event }) => event.type)).toEqual(['submitted', 'status', 'output', 'status']);
    const opened = await gateway.jobs.stream(
      { owner: 'alice', jobId: record.id },
      { view: 'native', format: 'ndjson', base: '' },
      { after: events[1]?.id },
    );
    if (opened === undefined || opened === 'over') throw new Error('no stream');
    const sent = await readerOf(opened, 'ndjson').rest();
    expect(sent.map(({ id }) => id)).toEqual(events.slice(2).map(({ id }) => id));
    await gateway.jobs.close();
  });

  it('show progress in every process, the latest one also where it came before the process', async () => {
    const { gateway, latest, open, progress, status } = await setUp();
    const { record } = await submitted(gateway);
    const half = { nodes: {}, progress: 0.5 };
    latest.set(record.id, half);
    await status(record.id, 'in_progress');
    await settle();
    const later = await open();
    await settle();
    for (const one of [gateway, later]) {
      expect((await one.jobs.get(alice, record.id))?.state.progress).toBe(0.5);
    }
    progress.next({ jobId: record.id, progress: { ...half, progress: 0.7 } });
    progress.next({ jobId: 'of another program', progress: { ...half, progress: 0.1 } });
    for (const one of [gateway, later]) {
      expect((await one.jobs.get(alice, record.id))?.state.progress).toBe(0.7);
    }
    await status(record.id, 'failed');
    progress.next({ jobId: record.id, progress: half });
    expect(await gateway.jobs.get(alice, record.id)).toMatchObject({ state: { phase: 'failed' } });
    await Promise.all([gateway.jobs.close(), later.jobs.close()]);
  });

  it('are cancelled by the queue, which keeps and logs the request, and is asked again where it refused', async () => {
    const { gateway, calls, failing, queue, status } = await setUp();
    const { record } = await submitted(gateway);
    // The events of a worker name the service's id of the job.
    await status(record.id, 'in_progress');
    failing.cancel = serviceError('Network', { code: 'ECONNRESET', sent: false });
    expect(await gateway.jobs.cancel(alice, record.id)).toMatchObject({ _tag: 'failed' });
    failing.cancel = undefined;
    await gateway.clock.advance(5_000);
    await gateway.clock.advance(60_000);
    expect(calls.filter((call) => call.startsWith('cancel'))).toEqual(Array(2).fill(`cancel ${record.id}`));
    const { events } = await queue.log.read({ owner: 'alice' }, undefined, 99);
    expect(events.map(({ event }) => event.type)).toEqual(['submitted', 'status', 'cancelRequested']);
    await status(record.id, 'cancelled');
    expect(await phaseIn(gateway, record.id)).toBe('cancelled');
    await gateway.jobs.close();
  });

  it('show what comes also where the latest progress of one can’t be read', async () => {
    const world = suppliedQueue();
    const log = { ...world.queue.log, latestProgress: () => Promise.reject(new Error('The queue is away.')) };
    const { gateway, progress, status } = await setUp({
      world: { ...world, queue: { ...world.queue, log } },
    });
    const { record } = await submitted(gateway);
    await status(record.id, 'in_progress');
    await settle();
    progress.next({ jobId: record.id, progress: { nodes: {}, progress: 0.7 } });
    expect((await gateway.jobs.get(alice, record.id))?.state.progress).toBe(0.7);
    await gateway.jobs.close();
  });

  it('let a gateway start once the queue is open, or five seconds later', async () => {
    const clock = virtualClock();
    const { queue } = suppliedQueue();
    const log = { ...queue.log, read: () => new Promise<never>(() => undefined) };
    const upstreams = { default: queueUpstream({ ...queue, log }, undefined) };
    const starting = playedGateway({ clock, log, upstreams });
    let isOpen = false;
    void starting.then(() => (isOpen = true));
    await clock.advance(4_999);
    expect(isOpen).toBe(false);
    await clock.advance(1);
    expect(isOpen).toBe(true);
    await (await starting).jobs.close();
  });

  it('keep what their log alone tells of them over a start', async () => {
    const { gateway, open, write } = await setUp();
    const { record } = await submitted(gateway);
    await write(record.id, { type: 'cancelRequested', at: 2 });
    await gateway.jobs.close();
    const second = await open();
    expect((await second.jobs.get(alice, record.id))?.record.cancelRequestedAt).toBe(2);
    await second.jobs.close();
  });

  it('go on where a person has taken one back from unknown', async () => {
    const { gateway, index, status } = await setUp();
    const { record } = await submitted(gateway);
    await status(record.id, 'unknown', 5);
    expect(await phaseIn(gateway, record.id)).toBe('unknown');
    await status(record.id, 'in_progress', 6);
    expect(await phaseIn(gateway, record.id)).toBe('in_progress');
    await status(record.id, 'completed', 7);
    await status(record.id, 'failed', 8);
    expect(await phaseIn(gateway, record.id)).toBe('completed');
    expect((await index.get(record.id))?.ended).toEqual({ phase: 'completed', at: 7 });
    await gateway.jobs.close();
  });

  it('are untraceable once the queue has lost them, within ten seconds', async () => {
    const { gateway, failing } = await setUp();
    const { record } = await submitted(gateway);
    failing.isEmptied = true;
    await gateway.clock.advance(9_000);
    expect(gateway.jobs).toBeDefined();
    await gateway.clock.advance(1_000);
    failing.isEmptied = false;
    expect(await phaseIn(gateway, record.id)).toBe('untraceable');
    await gateway.jobs.close();
  });

  it('are read every ten seconds while one is open, as the messages of the queue may be lost', async () => {
    const world = suppliedQueue();
    const { read } = world.queue.log;
    let reads = 0;
    const log: typeof world.queue.log = {
      ...world.queue.log,
      read: (...args) => {
        reads += 1;
        return read(...args);
      },
    };
    const { gateway, index } = await setUp({ world: { ...world, queue: { ...world.queue, log } } });
    const { record } = await submitted(gateway);
    const ended = initialJobState({ workflow: {}, promptId: 'p', phase: 'completed' });
    const status = { type: 'status', at: 7, status: statusOf(ended), progress: progressOf(ended) } as const;
    await world.queue.log.append('alice', record.id, [status]);
    await gateway.clock.advance(9_999);
    expect((await index.get(record.id))?.ended).toBeUndefined();
    await gateway.clock.advance(1);
    await settle();
    expect((await index.get(record.id))?.ended).toEqual({ phase: 'completed', at: 7 });
    // Then no log has anything to tell.
    const before = reads;
    await gateway.clock.advance(60_000);
    expect(reads).toBe(before);
    await gateway.jobs.close();
  });

  it('are untraceable after a start where the queue had them and has lost them, since they may have run', async () => {
    const { gateway, failing, open } = await setUp();
    const { record } = await submitted(gateway);
    await gateway.jobs.close();
    failing.isEmptied = true;
    const second = await open();
    await settle();
    expect(await phaseIn(second, record.id)).toBe('untraceable');
    await second.jobs.close();
  });

  it('are asked for their latest progress once, and again where a person has taken one back', async () => {
    const world = suppliedQueue();
    const asked: string[] = [];
    const log: typeof world.queue.log = {
      ...world.queue.log,
      latestProgress: (id) => Promise.resolve(void asked.push(id)),
    };
    const { gateway, status } = await setUp({ world: { ...world, queue: { ...world.queue, log } } });
    const { record } = await submitted(gateway);
    const counts: number[] = [];
    for (const phase of ['in_progress', 'in_progress', 'unknown', 'in_progress', 'completed'] as const) {
      await status(record.id, phase);
      await settle();
      counts.push(asked.length);
    }
    expect(counts).toEqual([1, 1, 1, 2, 2]);
    await gateway.jobs.close();
  });

  it('T9 are untraceable once the queue has lost their records, although it has their logs', async () => {
    const { gateway, failing, status } = await setUp();
    const { record } = await submitted(gateway);
    const { record: other } = await submitted(gateway);
    await status(record.id, 'in_progress');
    await settle();
    failing.forgotten.add(record.id);
    await gateway.clock.advance(10_000);
    await settle();
    expect(await phaseIn(gateway, record.id)).toBe('untraceable');
    expect(await phaseIn(gateway, other.id)).toBe('submitting');
    await gateway.jobs.close();
  });

  it('fail where the answer of the queue was lost and the job with it, and go on where the queue has it', async () => {
    const { gateway, failing, status } = await setUp();
    failing.add = serviceError('OutcomeUnknown', { candidates: [], startedAt: 0 });
    const { record } = await submitted(gateway);
    await settle();
    expect((await gateway.jobs.get(alice, record.id))?.state).toMatchObject({
      phase: 'failed',
      failure: { exceptionMessage: expect.stringContaining('the queue knows no such job') as string },
    });
    failing.add = undefined;
    failing.late = serviceError('OutcomeUnknown', { candidates: [], startedAt: 0 });
    const other = await submitted(gateway);
    await status(other.record.id, 'completed');
    expect(await phaseIn(gateway, other.record.id)).toBe('completed');
    await gateway.jobs.close();
  });

  it('are taken up after a start: what ended meanwhile, what was asked for, what never arrived, and a damaged record', async () => {
    const { gateway, index, calls, open, status } = await setUp();
    const [ended, wished, damaged] = [
      (await submitted(gateway)).record.id,
      (await submitted(gateway)).record.id,
      (await submitted(gateway)).record.id,
    ];
    await gateway.jobs.close();
    const at = { createdAt: 1, expiresAt: Number.MAX_SAFE_INTEGER };
    const lost = { ...at, id: 'lost', submissionId: 'lost', owner: 'alice', client: 'default', workflow };
    await index.add(lost);
    await status(ended, 'completed', 9);
    await index.update(wished, { cancelRequestedAt: 4 });
    const { list, get } = index;
    const asDamaged = <A extends { readonly id: string }>(one: A): A =>
      one.id === damaged ? { ...one, client: '', submissionId: '', workflow: {}, unreadable: true } : one;
    Object.assign(index, {
      list: async (...args: Parameters<typeof list>) => (await list(...args)).map(asDamaged),
      get: async (id: string) => {
        const record = await get(id);
        return record && asDamaged(record);
      },
    });
    const second = await open();
    await settle();
    expect((await index.get(ended))?.ended).toEqual({ phase: 'completed', at: 9 });
    expect((await second.jobs.get(alice, 'lost'))?.state).toMatchObject({ phase: 'failed', nodeCount: 2 });
    expect(calls.at(-1)).toBe(`cancel ${wished}`);
    await status(damaged, 'in_progress');
    expect(await phaseIn(second, damaged)).toBe('in_progress');
    await status(damaged, 'completed', 11);
    await settle();
    expect((await index.get(damaged))?.ended).toEqual({ phase: 'completed', at: 11 });
    await second.jobs.close();
  });

  it('come after those of a former log: a reader of that one goes on where it was, and its jobs are followed', async () => {
    const former = memoryEventLog();
    const index = memoryJobIndex();
    const record = {
      ...{ id: 'old', submissionId: 's-old', owner: 'alice', client: 'default', workflow },
      ...{ createdAt: 1, expiresAt: Number.MAX_SAFE_INTEGER, promptId: 's-old' },
    };
    await index.add(record);
    const [position] = await former.append('alice', 'old', [{ type: 'cancelRequested', at: 1 }]);
    await former.append('alice', 'old', [{ type: 'cancelRequested', at: 2 }]);
    const { gateway, calls, status } = await setUp({ index, former });
    expect(calls).toEqual(['follow s-old']);
    const { record: next } = await submitted(gateway);
    await status(next.id, 'completed');
    await settle();
    const opened = await gateway.jobs.stream(
      { owner: 'alice' },
      { view: 'native', format: 'ndjson', base: '' },
      { after: position },
    );
    if (opened === undefined || opened === 'over') throw new Error('no stream');
    const reader = readerOf(opened, 'ndjson');
    const sent = [];
    for (let count = 0; count < 4; count += 1) {
      const one = await reader.next();
      sent.push([one?.event, one?.data['job'] === next.id ? 'next' : one?.data['job']]);
    }
    expect(sent).toEqual([
      ['cancelRequested', 'old'],
      ['status', 'old'],
      ['submitted', 'next'],
      ['status', 'next'],
    ]);
    await reader.cut();
    // Its end was asked for, and the service has it no more.
    expect(await phaseIn(gateway, 'old')).toBe('cancelled');
    await gateway.jobs.close();
  });
});
