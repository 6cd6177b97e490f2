import { timerQueue } from '../../src/client/jobs/timer-queue.js';
import { describe, expect, it } from 'vitest';
import { fakePlatform } from '../helpers/fake-platform.js';
import { PollSchedule } from '../../src/client/jobs/poll-schedule.js';

const open = (clientId = 'one') => ({ _tag: 'open', clientId }) as const;
const waiting = { _tag: 'waiting', attempt: 1, delayMs: 1, reason: 'x' } as const;

const made = ({
  atOnce = false,
  boundTo,
  pollsWithinMs,
  random = 0.5,
  seeksPlace = false,
}: {
  seeksPlace?: boolean;
  atOnce?: boolean;
  boundTo?: string;
  pollsWithinMs?: number;
  random?: number;
}) => {
  const platform = fakePlatform(undefined, { random: () => random });
  const asked: number[] = [];
  const looked: number[] = [];
  const slept: number[] = [];
  const job = {
    lastFrameAt: -Infinity,
    seeksPlace,
    poll: () => void asked.push(platform.clock.now()),
    look: () => void looked.push(platform.clock.now()),
    onTimersPaused: () => void slept.push(platform.clock.now()),
  };
  const schedule = new PollSchedule({ platform, timers: timerQueue(platform.clock) }, job, {
    atOnce,
    boundTo,
    ...(pollsWithinMs !== undefined && { pollsWithinMs }),
  });
  return { schedule, job, asked, looked, slept, clock: platform.clock };
};

describe('PollSchedule', () => {
  it('asks nothing at the first socket of a job whose past is known, and at once of one whose is not', () => {
    const known = made({});
    known.schedule.onConnectionState(open());
    expect(known.asked).toEqual([]);
    const unknown = made({ atOnce: true });
    unknown.schedule.onConnectionState({ _tag: 'connecting', attempt: 0 });
    expect(unknown.asked).toEqual([]);
    unknown.schedule.onConnectionState(open());
    unknown.schedule.onConnectionState(open());
    expect(unknown.asked).toEqual([0]);
  });

  it('asks at each new socket and when one is lost', () => {
    const { schedule, asked } = made({});
    for (const state of [open(), waiting, { _tag: 'connecting', attempt: 1 } as const, open('two')])
      schedule.onConnectionState(state);
    expect(asked).toEqual([0, 0]);
  });

  it('polls as often as the dialect says where no event of the job has come', async () => {
    const { schedule, job, asked, clock } = made({ pollsWithinMs: 5_000 });
    const waits = () => asked.map((at, index) => Math.round(at - (asked[index - 1] ?? 0)));
    schedule.onConnectionState(waiting);
    await clock.advance(30_000);
    expect(waits()).toEqual([500, 2_000, 3_000, 4_500, 5_000, 5_000, 5_000, 5_000]);
    job.lastFrameAt = clock.now();
    await clock.advance(60_000);
    expect(waits().slice(8)).toEqual([5_000, 30_000]);
  });

  it('looks for the place of a waiting job after 3 s, and ever slower, besides what silence asks', async () => {
    const { schedule, job, asked, looked, clock } = made({ seeksPlace: true });
    schedule.onConnectionState(open());
    await clock.advance(46_000);
    expect([looked, asked]).toEqual([[3_000, 9_000, 21_000, 45_000], [30_000]]);
    schedule.onConnectionState(open('two'));
    job.seeksPlace = false;
    job.lastFrameAt = clock.now();
    await clock.advance(25_000);
    expect([looked.length, asked.length]).toEqual([4, 2]);
  });

  it('polls ever slower while no socket brings events, up to every 30 s', async () => {
    const { schedule, asked, clock } = made({});
    schedule.onConnectionState(waiting);
    await clock.advance(130_000);
    const waits = asked.map((at, index) => Math.round(at - (asked[index - 1] ?? 0)));
    expect(waits.slice(0, 8)).toEqual([500, 2_000, 3_000, 4_500, 6_750, 10_125, 15_188, 22_781]);
    expect(waits.slice(8)).toEqual([30_000, 30_000]);
  });

  it('polls from the beginning again when a socket is lost once more', async () => {
    const { schedule, asked, clock } = made({});
    for (let time = 0; time < 2; time += 1) {
      schedule.onConnectionState(waiting);
      const lostAt = clock.now();
      await clock.advance(6_000);
      expect(asked.splice(0).filter((at) => at > lostAt)).toEqual(
        [500, 2_500, 5_500].map((ms) => lostAt + ms),
      );
      schedule.onConnectionState(open());
    }
  });

  it.each(['idle', 'closed'] as const)('keeps to the socket that was heard once it is %s', async (_tag) => {
    const { schedule, asked, clock } = made({});
    schedule.onConnectionState(open());
    schedule.onConnectionState({ _tag });
    expect([schedule.hasSocket, asked]).toEqual([true, []]);
    await clock.advance(30_000);
    expect(asked).toEqual([30_000]);
  });

  it('takes a socket for lost that is connected again', () => {
    const { schedule, asked } = made({});
    schedule.onConnectionState(open());
    schedule.onConnectionState({ _tag: 'connecting', attempt: 1 });
    expect([schedule.hasSocket, asked]).toEqual([false, [0]]);
  });

  it.each([
    [9_999, 0],
    [10_000, 1],
  ])('F29: calls timers that are %d ms late a sleep %d times', async (lateMs, times) => {
    const { schedule, slept, clock } = made({});
    schedule.onConnectionState(open());
    clock.block(30_000 + lateMs);
    await clock.advance(0);
    expect(slept).toHaveLength(times);
  });

  it('asks about a doubtful state also where it polls for another reason before', async () => {
    const { schedule, asked, clock } = made({});
    schedule.onConnectionState(waiting);
    schedule.pollSoon();
    await clock.advance(2_400);
    expect(asked).toEqual([500, 2_000]);
  });

  it.each([
    [0, 24_000],
    [0.5, 30_000],
    [0.999_999, 36_000],
  ])('asks after 30 s of silence, spread by ±20 %% (%s)', async (random, ms) => {
    const { schedule, asked, clock } = made({ random });
    schedule.onConnectionState(open());
    await clock.advance(ms * 2.5);
    expect(asked.map(Math.round)).toEqual([ms, 2 * ms]);
  });

  it('F29: reports timers that did not run before it polls, and ignores a delay of some seconds', async () => {
    const { schedule, asked, slept, clock } = made({});
    schedule.onConnectionState(open());
    clock.block(39_000);
    await clock.advance(0);
    expect([asked, slept]).toEqual([[39_000], []]);
    clock.block(45_000);
    schedule.onConnectionState(waiting);
    expect([asked, slept]).toEqual([[39_000, 84_000], [84_000]]);
  });

  it('polls once more within the given time, whatever else is planned', async () => {
    const { schedule, asked, clock } = made({});
    schedule.onConnectionState(open());
    schedule.pollWithin(5_000);
    schedule.pollWithin(20_000);
    await clock.advance(29_000);
    expect(asked).toEqual([5_000]);
  });

  it('counts silence from the last frame', async () => {
    const { schedule, job, asked, clock } = made({});
    schedule.onConnectionState(open());
    await clock.advance(10_000);
    job.lastFrameAt = clock.now();
    await clock.advance(29_999);
    expect(asked).toEqual([]);
    await clock.advance(1);
    expect(asked).toEqual([40_000]);
  });

  it('asks 2 s after the latest doubtful event, besides its regular times', async () => {
    const { schedule, asked, clock } = made({});
    schedule.onConnectionState(open());
    schedule.pollSoon();
    await clock.advance(1_500);
    schedule.pollSoon();
    await clock.advance(40_000);
    expect(asked).toEqual([3_500, 30_000]);
  });

  it('polls for a job whose events go to another socket', async () => {
    const { schedule, asked, clock } = made({ boundTo: 'two' });
    schedule.onConnectionState(open('one'));
    await clock.advance(500);
    schedule.onConnectionState(open('two'));
    await clock.advance(20_000);
    expect(asked).toEqual([500, 500]);
  });

  it('leaves no timer when it stops', () => {
    const { schedule, clock } = made({});
    schedule.onConnectionState(open());
    schedule.pollSoon();
    expect(clock.pending()).toBe(1);
    schedule.stop();
    expect(clock.pending()).toBe(0);
  });
});
