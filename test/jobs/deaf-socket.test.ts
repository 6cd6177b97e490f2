import { BehaviorSubject } from 'rxjs';
import type { ConnectionState } from '../../src/core/socket/connection-state.js';
import { deafSocketDetector } from '../../src/client/jobs/deaf-socket.js';
import { describe, expect, it } from 'vitest';
import { timerQueue } from '../../src/client/jobs/timer-queue.js';
import { virtualClock } from '../../src/testing/virtual-clock.js';

const made = () => {
  const clock = virtualClock();
  const states = new BehaviorSubject<ConnectionState>({ _tag: 'open', clientId: 'one' });
  let reopened = 0;
  const source = { states, messages: 1, reopen: () => void (reopened += 1) };
  const detector = deafSocketDetector({ platform: { clock }, timers: timerQueue(clock), source });
  const checked: string[] = [];
  const accept = (name: string, messages = source.messages): void =>
    detector.accepted({ checkSocket: () => void checked.push(name) }, { clientId: 'one', messages });
  return { clock, states, source, detector, accept, checked, reopened: () => reopened };
};

describe('deafSocketDetector', () => {
  it('M8: replaces a socket that has brought nothing for 2 s since an accepted submission left', async () => {
    const { clock, accept, detector, checked, reopened } = made();
    accept('job');
    await clock.advance(1_999);
    expect(checked).toEqual([]);
    await clock.advance(1);
    expect([checked, reopened()]).toEqual([['job'], 0]);
    detector.isThere();
    expect(reopened()).toBe(1);
    expect(clock.pending()).toBe(0);
  });

  it.each([
    ['before the answer', 0],
    ['after the answer', 1],
    ['while REST is asked', 2],
  ])('M8: keeps a socket that brought any message %s', async (_, when) => {
    const { clock, source, accept, detector, reopened } = made();
    const before = source.messages;
    if (when === 0) source.messages += 1;
    accept('job', before);
    if (when === 1) source.messages += 1;
    await clock.advance(2_000);
    if (when === 2) source.messages += 1;
    detector.isThere();
    expect(reopened()).toBe(0);
  });

  it('M8: keeps it where REST does not have the job', async () => {
    const { clock, accept, checked, reopened } = made();
    accept('job');
    await clock.advance(60_000);
    expect([checked, reopened()]).toEqual([['job'], 0]);
  });

  it.each([
    ['another one took its place', { _tag: 'open', clientId: 'two' }],
    ['it is gone', { _tag: 'waiting', attempt: 1, delayMs: 1, reason: 'x' }],
  ] as const)('M8: leaves the socket alone where %s', async (_, state) => {
    const { clock, states, accept, detector, checked, reopened } = made();
    accept('job');
    states.next(state);
    await clock.advance(2_000);
    detector.isThere();
    expect([checked, reopened()]).toEqual([[], 0]);
  });

  it('M8: asks once for many submissions, from the first one on and by the latest', async () => {
    const { clock, accept, checked } = made();
    accept('first');
    await clock.advance(1_500);
    accept('second');
    await clock.advance(500);
    expect(checked).toEqual(['second']);
  });

  it('M8: begins anew with the next submission on a socket that has brought something', async () => {
    const { clock, source, accept, checked } = made();
    accept('first');
    source.messages += 1;
    await clock.advance(1_000);
    accept('second');
    await clock.advance(1_999);
    expect(checked).toEqual([]);
    await clock.advance(1);
    expect(checked).toEqual(['second']);
  });

  it('M8: leaves no timer behind where no job is followed any more', async () => {
    const { clock, accept, detector, checked } = made();
    accept('job');
    detector.stop();
    expect(clock.pending()).toBe(0);
    await clock.advance(2_000);
    expect(checked).toEqual([]);
  });
});
