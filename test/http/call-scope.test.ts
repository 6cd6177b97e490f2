import { CallScope, type ScopeOptions } from '../../src/core/http/call-scope.js';
import { countingSignal } from '../helpers/counting-signal.js';
import { describe, expect, it } from 'vitest';
import { virtualClock } from '../../src/testing/virtual-clock.js';

const opened = (options: Partial<ScopeOptions> = {}) => {
  const clock = virtualClock();
  const scope = new CallScope({ clock, timeoutMs: 100, ...options });
  let fired = 0;
  scope.signal.addEventListener('abort', () => (fired += 1));
  return { clock, scope, fired: () => fired };
};

describe('the scope of a call', () => {
  it('ends in time, however late its first step is, and fires its signal once', async () => {
    const { clock, scope, fired } = opened();
    await clock.advance(60);
    scope.patient();
    await clock.advance(39);
    expect([scope.ending(), fired()]).toEqual([undefined, 0]);
    await clock.advance(1);
    scope.patient(0);
    await clock.advance(100);
    expect([scope.ending(), fired(), clock.pending()]).toEqual(['timeout', 1, 0]);
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
    ['closed', 'closed'],
  ])('ends with %s as %s, before or after it was opened, and leaves no listener', (name, how) => {
    const [before, after] = [countingSignal(), countingSignal()];
    before.abort();
    expect(opened({ [name]: before.signal }).scope.ending()).toBe(how);
    const { scope, fired } = opened({ [name]: after.signal });
    expect(after.listeners()).toBe(1);
    after.abort();
    expect([scope.ending(), fired(), after.listeners(), before.listeners()]).toEqual([how, 1, 0, 0]);
  });

  it('sets no timer once it has ended', () => {
    const leaving = new AbortController();
    const { clock, scope } = opened({ signal: leaving.signal });
    scope.patient();
    leaving.abort();
    for (const step of [() => scope.patient(), () => scope.patient(5), () => scope.restart(7)]) {
      step();
      expect(clock.pending()).toBe(0);
    }
  });

  it('gives each step its time, by the timer that is set already', async () => {
    const clock = virtualClock();
    let set = 0;
    const after: typeof clock.after = (...given) => {
      set += 1;
      return clock.after(...given);
    };
    const scope = new CallScope({ clock: { ...clock, after }, timeoutMs: 10_000 });
    for (let step = 0; step < 5; step += 1) {
      scope.patient(100);
      await clock.advance(90);
    }
    expect([scope.ending(), set <= 5]).toEqual([undefined, true]);
    for (let step = 0; step < 9; step += 1) scope.patient(100);
    const before = set;
    await clock.advance(99);
    expect([scope.ending(), set - before]).toEqual([undefined, 1]);
    await clock.advance(1);
    expect([scope.ending(), clock.pending()]).toEqual(['timeout', 0]);
  });

  it('listens no more once it is released', () => {
    const kept = countingSignal();
    const { scope, fired } = opened({ signal: kept.signal });
    scope.release();
    kept.abort();
    expect([scope.ending(), fired(), kept.listeners()]).toEqual([undefined, 0, 0]);
  });

  it.each([
    ['later', 90, 140],
    ['sooner', 20, 70],
  ])('moves its deadline %s', async (_, ms, at) => {
    const { clock, scope } = opened();
    scope.restart(100);
    await clock.advance(50);
    scope.restart(ms);
    expect(clock.pending()).toBe(1);
    await clock.advance(at - 51);
    expect(scope.ending()).toBeUndefined();
    await clock.advance(1);
    expect(scope.ending()).toBe('timeout');
  });

  it('does not end while its deadline is held, and counts from anew afterwards', async () => {
    const { clock, scope } = opened();
    scope.restart(100);
    scope.hold();
    expect(clock.pending()).toBe(0);
    await clock.advance(500);
    scope.restart(100);
    await clock.advance(99);
    expect(scope.ending()).toBeUndefined();
    await clock.advance(1);
    expect(scope.ending()).toBe('timeout');
  });

  it('N2 begins the whole anew with each stretch in which at least 1 KiB a second moved', async () => {
    const { clock, scope } = opened({ timeoutMs: 10_000 });
    for (let nth = 0; nth < 5; nth += 1) {
      scope.patient();
      await clock.advance(9_000);
      scope.moved(10_240);
    }
    scope.patient();
    await clock.advance(9_000);
    scope.moved(10_239);
    scope.patient();
    await clock.advance(999);
    expect(scope.ending()).toBeUndefined();
    await clock.advance(1);
    expect(scope.ending()).toBe('timeout');
  });

  it('N2 gives what it is extended by until something moves', async () => {
    const { clock, scope } = opened({ patienceMs: 30 });
    scope.extend(1_000);
    scope.patient();
    expect([scope.patience(), scope.leftMs()]).toEqual([1_030, 1_100]);
    await clock.advance(1_029);
    expect(scope.ending()).toBeUndefined();
    scope.moved(1);
    scope.patient();
    expect(scope.patience()).toBe(30);
  });

  it('leaves no timer when it is released', () => {
    const { clock, scope } = opened();
    scope.patient();
    scope.release();
    scope.release();
    expect(clock.pending()).toBe(0);
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
