import { alice, life, playedGateway, submitted, workflow } from '../support.js';
import { describe, expect, it } from 'vitest';
import type { EventLog } from '../../../src/server/joblog/event-log.js';
import type { JobIndex } from '../../../src/server/joblog/job-index.js';
import { memoryEventLog } from '../../../src/server/gateway/store/memory-event-log.js';
import { memoryJobIndex } from '../../../src/server/gateway/store/memory-job-index.js';
import { serviceError } from '../../../src/core/errors/service-error.js';
import { settle } from '../../helpers/settle.js';

/** Ports over one disk, which may be full. */
const fullDisk = () => {
  const disk = { isFull: false };
  const index = memoryJobIndex();
  const log = memoryEventLog();
  const full = () => Promise.reject(serviceError('FileSystem', { code: 'ENOSPC', path: '/data' }));
  const ports: { readonly index: JobIndex; readonly log: EventLog } = {
    index: {
      ...index,
      add: (record) => (disk.isFull ? full() : index.add(record)),
      update: (id, change) => (disk.isFull ? full() : index.update(id, change)),
      remove: (id) => (disk.isFull ? full() : index.remove(id)),
    },
    log: { ...log, append: (...args) => (disk.isFull ? full() : log.append(...args)) },
  };
  return { disk, ports, index, log };
};

describe('on a full disk', () => {
  it('T7 the answer of the service reaches its caller within a second', async () => {
    const { disk, ports, index, log } = fullDisk();
    const { jobs, service, clock } = await playedGateway(ports);
    let answer = (): void => undefined;
    service.gate = new Promise((resolve) => (answer = resolve));
    const accepted = jobs.submit(alice, { workflow, key: 'k' });
    await settle();
    disk.isFull = true;
    answer();
    await clock.advance(1_000);
    expect(await accepted).toMatchObject({ _tag: 'accepted', replayed: false });
    service.jobs[0]!.move(life('p1').at(-1)!);
    disk.isFull = false;
    await clock.advance(2_000);
    const { record, state } = (await jobs.list(alice, { limit: 9 }))!.jobs[0]!;
    expect([state.phase, record.ended?.phase]).toEqual(['completed', 'completed']);
    const { events } = await log.read({ owner: 'alice', jobId: record.id }, undefined, 9);
    expect(events.map(({ event }) => event.type)).toEqual(['submitted', 'output', 'status']);
    expect((await index.get(record.id))?.ended?.phase).toBe('completed');
  });

  it('T7 the service is asked for the end of a job at once, and again until the job has ended', async () => {
    const { disk, ports } = fullDisk();
    const gateway = await playedGateway(ports);
    const { jobs, service, clock } = gateway;
    const { record } = await submitted(gateway);
    disk.isFull = true;
    const cancelled = jobs.cancel(alice, record.id);
    await settle();
    expect(service.cancelled).toEqual(['p1']);
    await clock.advance(1_000);
    expect(await cancelled).toMatchObject({ _tag: 'taken', requested: true });
    await clock.advance(4_000 + 10_000 + 20_000);
    expect(service.cancelled).toHaveLength(4);
    service.jobs[0]!.move({ ...life('p1')[1]!, phase: 'cancelled' });
    await clock.advance(600_000);
    expect(service.cancelled).toHaveLength(4);
    disk.isFull = false;
    await clock.advance(1_000);
    expect((await jobs.get(alice, record.id))?.state.phase).toBe('cancelled');
  });

  it('T6 a record whose submission was refused is taken back once there is room, and its key is free', async () => {
    const { disk, ports, index } = fullDisk();
    const { jobs, service, clock } = await playedGateway(ports);
    let answer = (): void => undefined;
    service.gate = new Promise((resolve) => (answer = resolve));
    service.refusal = serviceError('QueueFull', {});
    const refused = jobs.submit(alice, { workflow, key: 'k' });
    await settle();
    disk.isFull = true;
    answer();
    await clock.advance(1_000);
    expect(await refused).toMatchObject({ _tag: 'refused' });
    expect(await index.list('alice', { limit: 9 })).toHaveLength(1);
    disk.isFull = false;
    await clock.advance(1_000);
    expect(await index.list('alice', { limit: 9 })).toEqual([]);
    service.refusal = undefined;
    expect(await jobs.submit(alice, { workflow, key: 'k' })).toMatchObject({ _tag: 'accepted' });
  });

  it('T7 what makes room for a job may go later from the log', async () => {
    const index = memoryJobIndex({ maxJobs: 1 });
    const log = memoryEventLog();
    const gateway = await playedGateway({
      index,
      log: { ...log, expire: () => Promise.reject(new Error('The disk is full.')) },
    });
    await submitted(gateway);
    gateway.service.jobs[0]!.move(life('p1').at(-1)!);
    await settle();
    await submitted(gateway);
    await settle();
    expect((await gateway.jobs.list(alice, { limit: 9 }))?.jobs).toHaveLength(1);
  });
});
