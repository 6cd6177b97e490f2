import { describe, expect, it } from 'vitest';
import {
  alice,
  bob,
  life,
  openReader,
  playedGateway,
  playedService,
  submitted,
  workflow,
} from '../support.js';
import { jobRegistry } from '../../../src/server/gateway/registry/job-registry.js';
import { leasedPorts } from '../leased-ports.js';
import { NEVER } from 'rxjs';
import { memoryEventLog } from '../../../src/server/gateway/store/memory-event-log.js';
import { memoryJobIndex } from '../../../src/server/gateway/store/memory-job-index.js';
import type { Preview } from '../../../src/core/protocol/frames/frame.js';
import { virtualClock } from '../../../src/testing/virtual-clock.js';
import { settle } from '../../helpers/settle.js';

const picture: Preview = {
  ...{ _tag: 'Preview', nodeId: '2', mediaType: 'image/png', image: new Uint8Array([1]), promptId: 'p1' },
};

describe('the previews of a job', () => {
  it('are for its owner alone, by the node or without one, and gone with its end', async () => {
    const gateway = await playedGateway();
    const { jobs, service, clock } = gateway;
    const { record } = await submitted(gateway);
    const [played] = service.jobs;
    played!.move(life('p1')[1]!);
    played!.frame(picture);
    played!.frame({ ...picture, nodeId: '3', image: new Uint8Array([9]) });
    const bytes = async (owner = alice, nodeId?: string) =>
      (await jobs.preview(owner, record.id, nodeId))?.bytes[0];
    expect([await bytes(alice, '2'), await bytes(alice, '3'), await bytes()]).toEqual([1, 9, 9]);
    expect([await bytes(bob, '2'), await bytes(bob), await bytes(alice, '4')]).toEqual([
      ...[undefined, undefined, undefined],
    ]);
    expect((await jobs.preview(alice, record.id, '2'))?.mediaType).toBe('image/png');
    played!.move(life('p1').at(-1)!);
    for (const late of ['4', '5']) {
      played!.frame({ ...picture, nodeId: late });
      await clock.advance(1_000);
    }
    expect([
      await bytes(alice, '2'),
      await bytes(alice, '4'),
      await bytes(alice, '5'),
      await bytes(),
    ]).toEqual([undefined, undefined, undefined, undefined]);
  });
});

describe('an event', () => {
  it('is stored again until the log takes it, and known only then', async () => {
    const log = memoryEventLog();
    let failures = 0;
    const gateway = await playedGateway({
      log: {
        ...log,
        append: (...args) => {
          if (failures === 0) return log.append(...args);
          failures -= 1;
          return Promise.reject(new Error('The disk is full.'));
        },
      },
    });
    const { jobs, service, clock } = gateway;
    const { record } = await submitted(gateway);
    const phase = async () => (await jobs.get(alice, record.id))?.state.phase;
    failures = 2;
    service.jobs[0]!.move(life('p1')[1]!);
    await clock.advance(1_999);
    expect(await phase()).toBe('pending');
    await clock.advance(1);
    expect(await phase()).toBe('in_progress');
    const { events } = await log.read({ owner: 'alice', jobId: record.id }, undefined, 9);
    expect(events.map(({ event }) => event.type)).toEqual(['submitted', 'status']);
  });

  it('that can’t be stored holds up neither the end of the gateway nor other owners', async () => {
    const log = memoryEventLog();
    const gateway = await playedGateway({
      log: {
        ...log,
        append: (owner, jobId, events) =>
          owner === 'alice' && events[0]?.type === 'status'
            ? Promise.reject(new Error('The disk is full.'))
            : log.append(owner, jobId, events),
      },
    });
    const { jobs, service } = gateway;
    await submitted(gateway);
    const other = await submitted(gateway, bob);
    service.jobs[0]!.move(life('p1')[1]!);
    service.jobs[1]!.move(life('p2')[1]!);
    await settle();
    expect((await jobs.get(bob, other.record.id))?.state.phase).toBe('in_progress');
    await jobs.close();
  });

  it('of another process is read again where the log does not answer at once', async () => {
    const clock = virtualClock();
    const service = playedService();
    const { portsOf } = leasedPorts(clock);
    let failures = 0;
    const flaky = portsOf('two');
    const start = (ports: ReturnType<typeof portsOf>) => playedGateway({ clock, ...ports }, service);
    const one = await start(portsOf('one'));
    const two = await start({
      ...flaky,
      log: {
        ...flaky.log,
        read: (...args) => {
          if (failures === 0) return flaky.log.read(...args);
          failures -= 1;
          return Promise.reject(new Error('The log is away.'));
        },
      },
    });
    const mine = await submitted(two);
    const reader = await openReader(two, { owner: 'alice' });
    await reader.next();
    // Its own event comes after that of the other process, which it can't read at first.
    const names: unknown[] = [];
    const reading = (async () => {
      while (names.length < 3) {
        const next = await reader.next();
        if (next?.event !== 'progress') names.push([next?.event, next?.data['job']]);
      }
    })();
    failures = 1;
    const { record } = await submitted(one);
    service.jobs[0]!.move(life('p1')[1]!);
    await clock.advance(500);
    failures = 1;
    service.jobs[1]!.move(life('p2')[1]!);
    await clock.until(reading);
    expect(names).toEqual([
      ['submitted', record.id],
      ['status', mine.record.id],
      ['status', record.id],
    ]);
    await reader.cut();
  });

  it('of another process is read before its own, where that can’t be read the first time', async () => {
    const clock = virtualClock();
    const service = playedService();
    const { portsOf } = leasedPorts(clock);
    const plain = portsOf('two');
    let isAway = false;
    const one = await playedGateway({ clock, ...portsOf('one') }, service);
    const two = await playedGateway(
      {
        clock,
        ...plain,
        log: {
          ...plain.log,
          // Nothing tells it of the other one's event but its own append.
          changes: NEVER,
          read: (...args) => {
            const wasAway = isAway;
            isAway = false;
            return wasAway ? Promise.reject(new Error('The log is away.')) : plain.log.read(...args);
          },
          append: async (...args) => {
            const ids = await plain.log.append(...args);
            isAway = true;
            return ids;
          },
        },
      },
      service,
    );
    const { record } = await submitted(one);
    const mine = await clock.until(submitted(two));
    const reader = await clock.until(openReader(two, { owner: 'alice' }));
    const { data } = (await reader.next())!;
    const shown = (data['jobs'] as { readonly id: string }[]).map(({ id }) => id);
    expect(new Set(shown)).toEqual(new Set([mine.record.id, record.id]));
    await reader.cut();
  });
});

describe('the progress of a job', () => {
  it('is known at once where no event waits for the log, and with the event that it follows otherwise', async () => {
    const log = memoryEventLog();
    let stored = Promise.resolve();
    const gateway = await playedGateway({
      log: {
        ...log,
        append: async (...args) => {
          await stored;
          return log.append(...args);
        },
      },
    });
    const { jobs, service } = gateway;
    const { record } = await submitted(gateway);
    const [, running] = life('p1');
    const progress = async () => (await jobs.get(alice, record.id))?.state.progress;
    service.jobs[0]!.move(running!);
    await settle();
    service.jobs[0]!.move({ ...running!, progress: 0.25 });
    expect(await progress()).toBe(0.25);
    let store = (): void => undefined;
    stored = new Promise((resolve) => (store = resolve));
    const states = life('p1');
    service.jobs[0]!.move({ ...states[3]!, progress: 0.5 });
    service.jobs[0]!.move({ ...states[3]!, progress: 0.75 });
    await settle();
    expect(await progress()).toBe(0.25);
    store();
    await settle();
    expect((await jobs.get(alice, record.id))?.state).toMatchObject({
      progress: 0.75,
      outputs: states[3]!.outputs,
    });
  });
});

describe('a job that is forgotten', () => {
  it('leaves nothing in the log, and its readers hear of it', async () => {
    const log = memoryEventLog();
    const board = jobRegistry(virtualClock(), memoryJobIndex(), log, 1_000, new AbortController().signal);
    const heard: unknown[] = [];
    board.changes.subscribe((news) => heard.push(news));
    const known = (id: string) => [board.get(id)?.record.id, board.latest(id)?.phase];
    for (const id of ['x', 'y']) {
      const record = { id, owner: 'alice', client: 'default', createdAt: 1, expiresAt: 9, workflow };
      await board.open({ ...record, submissionId: `s-${id}` }, life('p1')[0]!);
    }
    heard.length = 0;
    await board.remove(board.get('x')!.record);
    expect([known('x'), heard]).toEqual([[undefined, undefined], [{ owner: 'alice', jobId: 'x' }]]);
    expect((await log.read({ owner: 'alice', jobId: 'x' }, undefined, 9)).events).toEqual([]);
    // Another process has removed it from the log.
    board.forget(board.get('y')!.record);
    expect([known('y'), heard.at(-1)]).toEqual([[undefined, undefined], { owner: 'alice', jobId: 'y' }]);
  });

  it('holds up no other job of its owner, where its last event could not be stored', async () => {
    const clock = virtualClock();
    const { index, log } = leasedPorts(clock).portsOf('one');
    let stuck = '';
    const gateway = await playedGateway({
      ...{ clock, index },
      log: {
        ...log,
        append: (owner, jobId, events) =>
          jobId === stuck ? Promise.reject(new Error('The disk is full.')) : log.append(owner, jobId, events),
      },
    });
    const { jobs, service } = gateway;
    const [gone, on] = [(await submitted(gateway)).record, (await submitted(gateway)).record];
    stuck = gone.id;
    service.jobs[0]!.move(life('p1')[1]!);
    service.jobs[1]!.move(life('p2')[1]!);
    await settle();
    await index.remove(gone.id);
    expect(await clock.until(jobs.get(alice, gone.id))).toBeUndefined();
    await clock.advance(2_000);
    expect((await clock.until(jobs.get(alice, on.id)))?.state.phase).toBe('in_progress');
  });
});

describe('a job that this process follows', () => {
  it('keeps its progress, which the log has not, where the log of its owner has a gap', async () => {
    const clock = virtualClock();
    const { index, log } = leasedPorts(clock).portsOf('one');
    let isCut = false;
    const gateway = await playedGateway({
      ...{ clock, index },
      log: {
        ...log,
        read: (scope, ...rest) => {
          const wasCut = isCut && scope.jobId === undefined;
          if (wasCut) isCut = false;
          return wasCut ? Promise.resolve({ events: [], gap: true }) : log.read(scope, ...rest);
        },
      },
    });
    const { jobs, service } = gateway;
    const { record } = await submitted(gateway);
    const running = life('p1')[1]!;
    service.jobs[0]!.move(running);
    await settle();
    service.jobs[0]!.move({ ...running, progress: 0.5 });
    isCut = true;
    expect((await jobs.get(alice, record.id))?.state.progress).toBe(0.5);
    expect(isCut).toBe(false);
  });

  it('is cancelled by another process by the id that its events tell, where the index has none', async () => {
    const clock = virtualClock();
    const service = playedService();
    const { portsOf } = leasedPorts(clock);
    const ports = portsOf('one');
    const update: typeof ports.index.update = (id, change) =>
      change.promptId === undefined ? ports.index.update(id, change) : Promise.reject(new Error('away'));
    const one = await playedGateway({ clock, ...ports, index: { ...ports.index, update } }, service);
    const two = await playedGateway({ clock, ...portsOf('two') }, service);
    // The other one knows the owner's log already.
    await two.jobs.list(alice, { limit: 1 });
    const { record } = await submitted(one);
    expect(await two.jobs.cancel(alice, record.id)).toMatchObject({ _tag: 'taken', requested: true });
    expect(service.cancelled).toEqual(['p1']);
  });
});
