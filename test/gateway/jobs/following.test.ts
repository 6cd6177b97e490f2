import { describe, expect, it } from 'vitest';
import { alice, life, playedGateway, playedService, submitted } from '../support.js';
import type { JobState } from '../../../src/state/job-state.js';
import { NEVER, ReplaySubject } from 'rxjs';
import type { Preview } from '../../../src/protocol/frames/frame.js';
import { serviceError } from '../../../src/errors/service-error.js';
import type { Upstream } from '../../../src/gateway/jobs/upstream.js';

const pictureOf = (nodeId: string, byte: number): Preview => ({
  _tag: 'Preview',
  nodeId,
  mediaType: 'image/png',
  image: new Uint8Array([byte]),
});

describe('the previews of a followed job', () => {
  it('are the first of each node at once, then the newest of each tenth of a second', async () => {
    const { jobs, service, clock } = await playedGateway();
    const job = await submitted({ jobs });
    const played = service.jobs[0]!;
    played.move(life(played.promptId)[1]!);
    const shown = async () => {
      const of = (nodeId: string) => jobs.preview(alice, job.record.id, nodeId);
      return [(await of('1'))?.bytes[0], (await of('2'))?.bytes[0]];
    };
    played.frame(pictureOf('1', 1));
    for (const byte of [2, 3, 4]) played.frame(pictureOf('1', byte));
    played.frame(pictureOf('2', 9));
    expect(await shown()).toEqual([1, 9]);
    await clock.advance(100);
    expect(await shown()).toEqual([4, 9]);
    played.frame(pictureOf('1', 5));
    expect(await shown()).toEqual([4, 9]);
    await clock.advance(100);
    expect(await shown()).toEqual([5, 9]);
  });
});

describe('a followed job', () => {
  const followed = async () => {
    const service = playedService();
    const jobs: ReplaySubject<JobState>[] = [];
    const upstream: Upstream = {
      ...service,
      job: (promptId) => {
        const states = new ReplaySubject<JobState>(1);
        jobs.push(states);
        return { promptId, states, frames: NEVER };
      },
    };
    const gateway = await playedGateway({ upstreams: { default: upstream } }, service);
    const { record } = await submitted(gateway);
    const phase = async () => (await gateway.jobs.get(alice, record.id))?.state.phase;
    return { ...gateway, record, again: jobs, phase };
  };

  it('is followed anew ten seconds after an error that says nothing about it, and then on', async () => {
    const one = await followed();
    one.service.jobs[0]!.fail(serviceError('ServerError', {}));
    await one.clock.advance(9_999);
    expect(one.again).toHaveLength(0);
    await one.clock.advance(1);
    expect(one.again).toHaveLength(1);
    one.again[0]!.error(new Error('no error of the service'));
    await one.clock.advance(10_000);
    one.again[1]!.next(life('p1')[1]!);
    await one.clock.advance(0);
    expect(await one.phase()).toBe('in_progress');
    one.again[1]!.next(life('p1').at(-1)!);
    one.again[1]!.error(serviceError('ServerError', {}));
    await one.clock.advance(60_000);
    expect([await one.phase(), one.again.length]).toEqual(['completed', 2]);
  });

  it('is untraceable once the service knows it no more, and left alone where its client is closed', async () => {
    const gone = await followed();
    gone.service.jobs[0]!.fail(serviceError('NotFound', {}));
    await gone.clock.advance(60_000);
    expect([await gone.phase(), gone.again.length]).toEqual(['untraceable', 0]);
    const closed = await followed();
    closed.service.jobs[0]!.fail(serviceError('Closed', {}));
    await closed.clock.advance(60_000);
    expect([await closed.phase(), closed.again.length]).toEqual(['pending', 0]);
  });

  it('is followed no more once the gateway closes, also while it waits to follow it anew', async () => {
    const one = await followed();
    one.service.jobs[0]!.fail(serviceError('ServerError', {}));
    await one.clock.advance(5_000);
    await one.jobs.close();
    await one.clock.advance(60_000);
    expect([one.again.length, one.clock.pending()]).toEqual([0, 0]);
    const other = await followed();
    await other.jobs.close();
    other.service.jobs[0]!.move(life('p1')[1]!);
    other.service.jobs[0]!.fail(serviceError('ServerError', {}));
    await other.clock.advance(60_000);
    expect([await other.phase(), other.again.length]).toEqual(['pending', 0]);
  });
});
