import { config } from 'rxjs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { drawSchedule } from './draw-schedule.js';
import { judge } from './invariants/index.js';
import { type MakeClient, play, realClient } from './play.js';

/** A client whose frames also go to a subscriber that throws at each of them. */
const withThrower: MakeClient = (platform) => {
  const client = realClient(platform);
  client.frames.subscribe({
    next: () => {
      throw new Error('mine');
    },
    error: () => undefined,
  });
  return client;
};

describe('the program around a client', () => {
  afterEach(() => {
    config.onUnhandledError = null;
    vi.useRealTimers();
  });

  it('I-2: may throw at every frame: no other subscriber is affected, and the error is reported as unhandled', async () => {
    const thrown: unknown[] = [];
    config.onUnhandledError = (error) => thrown.push(error);
    for (let seed = 1; seed <= 5; seed += 1) {
      const played = await play(drawSchedule(seed, { maxJobs: 3, maxFaults: 2 }), withThrower);
      expect([seed, judge(played).violations]).toEqual([seed, []]);
    }
    await expect.poll(() => thrown.length).toBeGreaterThan(20);
    expect(new Set(thrown.map(String))).toEqual(new Set(['Error: mine']));
  });

  it('I-12: may have stopped its own clock: the client takes time from its platform alone', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'setImmediate', 'Date', 'performance'] });
    for (let seed = 1; seed <= 5; seed += 1) {
      const played = await play(drawSchedule(seed, { maxJobs: 3, maxFaults: 2 }));
      expect([seed, judge(played).violations]).toEqual([seed, []]);
    }
    expect(vi.getTimerCount()).toBe(0);
  });

  it('E16: costs the service little while it is down for ten minutes, however it waits', async () => {
    const drawn = drawSchedule(1, { maxJobs: 1, maxFaults: 0 });
    const [job] = drawn.jobs;
    const played = await play({
      ...drawn,
      platform: 'node',
      jobs: [{ ...job!, via: 'run', queueMs: 2_000 }],
      faults: [{ index: 0, kind: 'network is down', job: 0, moment: 'queued', afterMs: 0, size: 1 }],
    });
    expect(judge(played).violations).toEqual([]);
    // One look each half minute and a few at first, each tried four times at most; and as few attempts to connect.
    const { requests, handshakes } = played.backend.ledger;
    expect(requests.length).toBeGreaterThan(20);
    expect(requests.length).toBeLessThan(4 * 35);
    expect(handshakes.length).toBeLessThan(100);
  });
});
