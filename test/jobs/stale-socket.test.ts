import { timerQueue } from '../../src/client/jobs/timer-queue.js';
import { BehaviorSubject } from 'rxjs';
import type { ConnectionState } from '../../src/core/socket/connection-state.js';
import { describe, expect, it } from 'vitest';
import { staleSocketDetector } from '../../src/client/jobs/stale-socket.js';
import { virtualClock } from '../../src/testing/virtual-clock.js';

const made = () => {
  const clock = virtualClock();
  const states = new BehaviorSubject<ConnectionState>({ _tag: 'open', clientId: 'one' });
  let recycled = 0;
  const source = { states, openedAt: 0, framesOfJobs: 0, reconnect: () => void (recycled += 1) };
  const suspect = staleSocketDetector({ platform: { clock }, timers: timerQueue(clock), source });
  return { clock, states, source, suspect, recycled: () => recycled };
};

describe('staleSocketDetector', () => {
  it('recycles a socket that brings nothing for 10 s after REST was ahead of it', async () => {
    const { clock, suspect, recycled } = made();
    suspect.restWasAhead();
    await clock.advance(5_000);
    suspect.restWasAhead();
    await clock.advance(4_999);
    expect(recycled()).toBe(0);
    await clock.advance(1);
    expect(recycled()).toBe(1);
    expect(clock.pending()).toBe(0);
  });

  it('drops it as soon as the socket has brought anything of any job', async () => {
    const { clock, source, suspect, recycled } = made();
    suspect.restWasAhead();
    source.framesOfJobs += 1;
    await clock.advance(60_000);
    expect(recycled()).toBe(0);
  });

  it('begins anew where the socket was silent again since', async () => {
    const { clock, source, suspect, recycled } = made();
    suspect.restWasAhead();
    await clock.advance(9_000);
    source.framesOfJobs += 1;
    suspect.restWasAhead();
    await clock.advance(9_999);
    expect(recycled()).toBe(0);
    await clock.advance(1);
    expect(recycled()).toBe(1);
  });

  it.each([
    ['another one took its place', { _tag: 'open', clientId: 'two' }],
    ['it is gone', { _tag: 'waiting', attempt: 1, delayMs: 1, reason: 'x' }],
  ] as const)('leaves the socket alone where %s', async (_, state) => {
    const { clock, states, suspect, recycled } = made();
    suspect.restWasAhead();
    states.next(state);
    await clock.advance(60_000);
    expect(recycled()).toBe(0);
  });

  it('recycles once where the next socket brings nothing either', async () => {
    const { clock, states, suspect, recycled } = made();
    suspect.restWasAhead();
    await clock.advance(10_000);
    states.next({ _tag: 'open', clientId: 'two' });
    for (let hour = 0; hour < 10; hour += 1) {
      suspect.restWasAhead();
      await clock.advance(3_600_000);
    }
    expect(recycled()).toBe(1);
  });

  it('recycles again after five minutes, if the socket has brought something meanwhile', async () => {
    const { clock, states, source, suspect, recycled } = made();
    suspect.restWasAhead();
    await clock.advance(10_000);
    states.next({ _tag: 'open', clientId: 'two' });
    source.framesOfJobs += 1;
    suspect.restWasAhead();
    await clock.advance(10_000);
    expect(recycled()).toBe(1);
    await clock.advance(300_000);
    suspect.restWasAhead();
    await clock.advance(10_000);
    expect(recycled()).toBe(2);
  });

  it.each([
    [299_999, 1],
    [300_000, 2],
  ])('recycles again no sooner than five minutes after: asked for at %d ms %d times', async (at, times) => {
    const { clock, states, source, suspect, recycled } = made();
    suspect.restWasAhead();
    await clock.advance(10_000);
    states.next({ _tag: 'open', clientId: 'two' });
    source.framesOfJobs += 1;
    await clock.advance(at - 10_000);
    suspect.restWasAhead();
    await clock.advance(10_000);
    expect(recycled()).toBe(times);
  });

  it('suspects no socket while none is open', async () => {
    const { clock, states, suspect, recycled } = made();
    states.next({ _tag: 'waiting', attempt: 1, delayMs: 1, reason: 'x' });
    suspect.restWasAhead();
    await clock.advance(60_000);
    expect(recycled()).toBe(0);
  });

  it('sleeps while no job is followed, and goes on with the next one', async () => {
    const { clock, suspect, recycled } = made();
    suspect.restWasAhead();
    await clock.advance(4_000);
    suspect.stop();
    expect(clock.pending()).toBe(0);
    await clock.advance(2_000);
    suspect.start();
    await clock.advance(3_999);
    expect(recycled()).toBe(0);
    await clock.advance(1);
    expect(recycled()).toBe(1);
    suspect.start();
    expect(clock.pending()).toBe(0);
  });
});
