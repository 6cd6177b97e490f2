import { alice, bob, life, playedGateway, playedService, previewOf, submitted } from '../support.js';
import { describe, expect, it } from 'vitest';
import { leasedPorts } from '../leased-ports.js';
import { memoryEventLog } from '../../../src/server/gateway/store/memory-event-log.js';
import { memoryJobIndex } from '../../../src/server/gateway/store/memory-job-index.js';
import { virtualClock } from '../../../src/testing/virtual-clock.js';

const never = (): Promise<never> => new Promise(() => undefined);

describe('a gateway that closes', () => {
  it('closes its index and its log, once, and follows nothing any more', async () => {
    const closed: string[] = [];
    const note = (name: string) => () => Promise.resolve(void closed.push(name));
    const gateway = await playedGateway({
      index: { ...memoryJobIndex(), close: note('index') },
      log: { ...memoryEventLog(), close: note('log') },
    });
    const { record } = await submitted(gateway);
    // It is asked for again and again.
    await gateway.jobs.cancel(alice, record.id);
    await gateway.jobs.close();
    await gateway.jobs.close();
    expect([closed, gateway.clock.pending()]).toEqual([['index', 'log'], 0]);
  });

  it('waits for stores that do not answer two seconds each', async () => {
    const clock = virtualClock();
    const { portsOf } = leasedPorts(clock);
    const { index, log } = portsOf('one');
    const closed: number[] = [];
    const away = { isAway: false };
    const ports = {
      index: {
        ...index,
        close: () => Promise.resolve(void closed.push(clock.now())),
        leases: {
          ...index.leases!,
          renew: (...args: Parameters<NonNullable<typeof index.leases>['renew']>) =>
            away.isAway ? never() : index.leases!.renew(...args),
        },
      },
      log: {
        ...log,
        append: (...args: Parameters<typeof log.append>) => (away.isAway ? never() : log.append(...args)),
      },
    };
    const gateway = await playedGateway({ clock, ...ports });
    await submitted(gateway);
    away.isAway = true;
    gateway.service.jobs[0]!.move(life('p1')[1]!);
    const began = clock.now();
    await clock.until(gateway.jobs.close());
    expect(closed).toEqual([began + 4_000]);
  });

  it('leaves its jobs to another process at once', async () => {
    const clock = virtualClock();
    const service = playedService();
    const { portsOf } = leasedPorts(clock);
    const one = await playedGateway({ clock, ...portsOf('one') }, service);
    const { record } = await submitted(one);
    await one.jobs.close();
    const two = await playedGateway({ clock, ...portsOf('two') }, service);
    service.jobs[0]!.move(life('p1')[1]!);
    await clock.advance(0);
    expect((await two.jobs.get(alice, record.id))?.state.phase).toBe('in_progress');
    await two.jobs.close();
  });
});

describe('a preview of a job', () => {
  it('is the newest, or that of a node, for its owner', async () => {
    const gateway = await playedGateway();
    const { record } = await submitted(gateway);
    const [played] = gateway.service.jobs;
    played!.move(life('p1')[1]!);
    const shown = async (owner: typeof alice, nodeId?: string) =>
      (await gateway.jobs.preview(owner, record.id, nodeId))?.bytes.length;
    expect([await shown(alice), await shown(alice, '1')]).toEqual([undefined, undefined]);
    played!.frame(previewOf(played!, '1', 10));
    played!.frame(previewOf(played!, '2', 20));
    expect([await shown(alice), await shown(alice, '1'), await shown(alice, '3')]).toEqual([
      20,
      10,
      undefined,
    ]);
    expect([await shown(bob), await shown(bob, '1')]).toEqual([undefined, undefined]);
  });
});

describe('a picture that a job sent over the socket', () => {
  it('is that of the index, or else that of the service, by the id of the submission', async () => {
    const service = playedService();
    const place = { nodeId: '9', index: 0 };
    const picture = (byte: number) => ({ mediaType: 'image/png', bytes: new Uint8Array([byte]) });
    const asked: unknown[] = [];
    const index = memoryJobIndex();
    const image = (...args: readonly unknown[]) => {
      asked.push(args);
      return Promise.resolve(picture(2));
    };
    const gateway = await playedGateway({ index, upstreams: { default: { ...service, image } } }, service);
    const job = await submitted(gateway);
    expect(await gateway.jobs.image(job, place)).toEqual(picture(2));
    expect(asked).toEqual([[job.record.submissionId, place]]);
    await index.images?.put(job.record.id, place, picture(1));
    expect(await gateway.jobs.image(job, place)).toEqual(picture(1));
    const elsewhere = { ...job, record: { ...job.record, id: 'other', client: 'gone' } };
    expect(await gateway.jobs.image(elsewhere, place)).toBeUndefined();
  });
});
