import { describe, expect, it } from 'vitest';
import { alice, life, playedGateway, playedService, submitted } from '../support.js';
import type { JobState } from '../../../src/core/state/job-state.js';
import { NEVER, ReplaySubject, Subject } from 'rxjs';
import { following } from '../../../src/server/gateway/upstream/following.js';
import type { Frame, Preview } from '../../../src/core/protocol/frames/frame.js';
import { serviceError } from '../../../src/core/errors/service-error.js';
import type { Upstream } from '../../../src/server/gateway/upstream/upstream.js';
import { virtualClock } from '../../../src/testing/virtual-clock.js';

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

describe('the following of jobs in a registry', () => {
  /** A board with one job, `x`, and jobs of a service to follow. */
  const setUp = () => {
    const clock = virtualClock();
    const known = new Map<string, JobState>([['x', life('p1')[0]!]]);
    const moved: string[] = [];
    const pictured: string[] = [];
    const board = {
      get: () => undefined,
      latest: (id: string) => known.get(id),
      applyState: (id: string, { phase }: JobState) => void moved.push(`${id} ${phase}`),
      setPreview: (id: string, { nodeId }: Preview) => void pictured.push(`${id} ${nodeId ?? ''}`),
    };
    const { follow, leave, stop } = following(board as never, clock);
    const job = () => ({ states: new Subject<JobState>(), frames: new Subject<Frame>() });
    const again = job();
    const lost = (state: JobState): JobState => ({ ...state, phase: 'untraceable' });
    const begin = (one: ReturnType<typeof job>): void => follow('x', one, () => again, lost);
    const isFollowed = ({ states, frames }: ReturnType<typeof job>) => [states.observed, frames.observed];
    return { clock, known, moved, pictured, job, again, begin, isFollowed, leave, stop };
  };

  it('follows a job once, however often it begins', () => {
    const { job, begin, isFollowed, moved } = setUp();
    const [one, other] = [job(), job()];
    begin(one);
    begin(other);
    expect([isFollowed(one), isFollowed(other)]).toEqual([
      [false, false],
      [true, true],
    ]);
    other.states.next(life('p1')[1]!);
    expect(moved).toEqual(['x in_progress']);
  });

  it('takes no preview of a job whose states have failed or ended', async () => {
    const { clock, job, again, begin, isFollowed, pictured } = setUp();
    const failed = job();
    begin(failed);
    failed.frames.next(pictureOf('1', 1));
    failed.frames.error(serviceError('ServerError', {}));
    failed.states.error(serviceError('ServerError', {}));
    expect([pictured, isFollowed(failed)]).toEqual([['x 1'], [false, false]]);
    const cut = job();
    begin(cut);
    cut.states.error(serviceError('ServerError', {}));
    expect(isFollowed(cut)).toEqual([false, false]);
    await clock.advance(10_000);
    expect(isFollowed(again)).toEqual([true, true]);
    again.states.complete();
    expect(isFollowed(again)).toEqual([false, false]);
    expect(clock.pending()).toBe(0);
  });

  it('leaves alone a job that is in the registry no more', async () => {
    const { clock, known, moved, job, again, begin, isFollowed } = setUp();
    const one = job();
    begin(one);
    known.clear();
    one.states.next(life('p1')[1]!);
    one.states.error(serviceError('NotFound', {}));
    const other = job();
    begin(other);
    other.states.error(serviceError('ServerError', {}));
    await clock.advance(60_000);
    expect([moved, isFollowed(again), clock.pending()]).toEqual([[], [false, false], 0]);
  });

  it('leaves a job to another process, also while it waits to follow it anew', async () => {
    const { clock, job, again, begin, isFollowed, leave } = setUp();
    const one = job();
    begin(one);
    leave('x');
    expect(isFollowed(one)).toEqual([false, false]);
    const other = job();
    begin(other);
    other.states.error(serviceError('ServerError', {}));
    leave('x');
    await clock.advance(60_000);
    expect([isFollowed(again), clock.pending()]).toEqual([[false, false], 0]);
    leave('unheard of');
  });

  it('follows nothing any more once it is stopped', () => {
    const { job, begin, isFollowed, stop } = setUp();
    const [one, late] = [job(), job()];
    begin(one);
    stop();
    begin(late);
    expect([isFollowed(one), isFollowed(late)]).toEqual([
      [false, false],
      [false, false],
    ]);
  });
});
