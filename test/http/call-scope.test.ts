import { CallScope, Deadline, type ScopeOptions } from '../../src/http/call-scope.js';
import { countingSignal } from '../helpers/counting-signal.js';
import { describe, expect, it } from 'vitest';
import { virtualClock } from '../helpers/virtual-clock.js';

const opened = (options: Partial<ScopeOptions> = {}) => {
  const clock = virtualClock();
  const scope = new CallScope({ clock, timeoutMs: 100, ...options });
  let told = 0;
  const takeBack = scope.whenEnded(() => (told += 1));
  return { clock, scope, takeBack, told: () => told };
};

describe('the scope of a call', () => {
  it('ends in time, however late it is first looked at, and tells so once', async () => {
    const { clock, scope, told } = opened();
    await clock.advance(60);
    scope.patient();
    await clock.advance(39);
    expect([scope.ending(), told()]).toEqual([undefined, 0]);
    await clock.advance(1);
    scope.patient(0);
    await clock.advance(100);
    expect([scope.ending(), told(), clock.pending()]).toEqual(['timeout', 1, 0]);
  });

  it('gives a step no more than its patience, and says that it was that', async () => {
    const { clock, scope } = opened({ patienceMs: 30 });
    scope.patient();
    expect(scope.patience()).toBe(30);
    await clock.advance(80);
    expect(scope.ending()).toBe('timeout');
  });

  it.each([
    ['signal', 'aborted'],
    ['withdrawn', 'aborted'],
    ['closed', 'closed'],
  ])('ends with %s as %s, before or after it was opened, and leaves no listener', (name, how) => {
    const [before, after] = [countingSignal(), countingSignal()];
    before.abort();
    expect(opened({ [name]: before.signal }).scope.ending()).toBe(how);
    const { scope, told } = opened({ [name]: after.signal });
    expect(after.listeners()).toBe(1);
    after.abort();
    expect([scope.ending(), told(), after.listeners(), before.listeners()]).toEqual([how, 1, 0, 0]);
  });

  it('listens no more once it is released, and tells nobody who took it back', () => {
    const kept = countingSignal();
    const { scope, takeBack, told } = opened({ signal: kept.signal });
    takeBack();
    scope.release();
    kept.abort();
    expect([scope.ending(), told(), kept.listeners()]).toEqual([undefined, 0, 0]);
  });

  it('has a signal that fires with it, also where it is first looked at afterwards', async () => {
    const [early, late] = [opened(), opened()];
    const { signal } = early.scope;
    for (const { scope, clock } of [early, late]) {
      scope.patient();
      await clock.advance(100);
    }
    expect([signal.aborted, late.scope.signal.aborted]).toEqual([true, true]);
  });

  it('leaves work that it outlives as it is, and hands late work over', async () => {
    const { clock, scope } = opened();
    await expect(scope.race(Promise.resolve('in time'))).resolves.toBe('in time');
    await expect(scope.race(Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    scope.patient();
    const late: string[] = [];
    let finish: (value: string) => void = () => undefined;
    const lost = scope.race(new Promise<string>((resolve) => (finish = resolve)), (value) =>
      late.push(value),
    );
    const told = expect(lost).rejects.toThrow('the call has ended');
    await clock.advance(100);
    await told;
    finish('late');
    await Promise.resolve();
    expect(late).toEqual(['late']);
  });
});

const made = () => {
  const clock = virtualClock();
  const calls: number[] = [];
  return { clock, calls, deadline: new Deadline(clock, () => calls.push(clock.now())) };
};

describe('a deadline', () => {
  it('calls once, at its time', async () => {
    const { clock, calls, deadline } = made();
    deadline.set(100);
    await clock.advance(99);
    expect(calls).toEqual([]);
    await clock.advance(1000);
    expect([calls, clock.pending()]).toEqual([[100], 0]);
  });

  it.each([
    ['later', 300, 350],
    ['sooner', 20, 70],
  ])('may be moved %s', async (_, ms, at) => {
    const { clock, calls, deadline } = made();
    deadline.set(100);
    await clock.advance(50);
    deadline.set(ms);
    await clock.advance(1000);
    expect(calls).toEqual([at]);
  });

  it('is moved on many times by one timer', async () => {
    const { clock, calls, deadline } = made();
    for (let nth = 0; nth < 50; nth += 1) {
      deadline.set(100);
      expect(clock.pending()).toBe(1);
      await clock.advance(10);
    }
    await clock.advance(1000);
    expect(calls).toEqual([590]);
  });

  it('does nothing while it is held, and counts from anew afterwards', async () => {
    const { clock, calls, deadline } = made();
    deadline.set(100);
    deadline.hold();
    await clock.advance(500);
    expect([calls, clock.pending()]).toEqual([[], 0]);
    deadline.set(100);
    await clock.advance(500);
    expect(calls).toEqual([600]);
  });

  it('leaves no timer when it is cancelled', async () => {
    const { clock, calls, deadline } = made();
    deadline.set(100);
    deadline.cancel();
    deadline.cancel();
    expect(clock.pending()).toBe(0);
    await clock.advance(500);
    expect(calls).toEqual([]);
  });
});
