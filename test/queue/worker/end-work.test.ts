import { describe, expect, it } from 'vitest';
import { endWork } from '../../../src/server/queue/worker/end-work.js';
import { virtualClock } from '../../../src/testing/virtual-clock.js';

/** The work of a worker whose end the test makes, and what became of it. */
const ending = (graceMs: number, { running = 1, isAway = false, hasBegun = true } = {}) => {
  const clock = virtualClock();
  const calls: string[] = [];
  const state = { isAway, over: '' };
  let finish = (): void => undefined;
  let fail: (error: Error) => void = () => undefined;
  const work = {
    running: () => running,
    finish: () =>
      new Promise<void>((resolve, reject) => {
        calls.push('finish');
        [finish, fail] = [resolve, reject];
      }),
    close: () => Promise.resolve(void calls.push('close')),
  };
  const stop = (): void => {
    if (!calls.includes('stop')) calls.push('stop');
  };
  void endWork({ clock, work: hasBegun ? work : undefined, isAway: () => state.isAway, stop }, graceMs).then(
    () => (state.over = 'ended'),
    (error: unknown) => (state.over = String(error)),
  );
  return { clock, calls, state, finish: () => finish(), fail: (error: Error) => fail(error) };
};

describe('the work of a worker that closes', () => {
  it('comes to its end in the time that it is given, and is then closed', async () => {
    const { clock, calls, state, finish } = ending(20_000);
    await clock.advance(19_999);
    expect([calls, state.over]).toEqual([['finish'], '']);
    finish();
    await clock.advance(0);
    expect([calls.slice(0, 3), state.over]).toEqual([['finish', 'stop', 'close'], 'ended']);
    expect(clock.pending()).toBe(0);
  });

  it('is handed over after that time, and waits then for answers under way, for 35 s at most', async () => {
    const { clock, calls, state } = ending(20_000);
    await clock.advance(20_000);
    expect(calls).toEqual(['finish', 'stop']);
    await clock.advance(34_999);
    expect([calls, state.over]).toEqual([['finish', 'stop'], '']);
    await clock.advance(1);
    expect([calls, state.over]).toEqual([['finish', 'stop', 'close'], 'ended']);
    expect(clock.pending()).toBe(0);
  });

  it('ends 3 s after its time where the store is away, as another worker takes what runs', async () => {
    const { clock, calls, state } = ending(1_000, { isAway: true });
    await clock.advance(3_999);
    expect([calls, state.over]).toEqual([['finish', 'stop'], '']);
    await clock.advance(1);
    expect([calls, state.over]).toEqual([['finish', 'stop', 'close'], 'ended']);
  });

  it('ends within half a second where the store is away and nothing runs', async () => {
    const { clock, calls, state } = ending(60_000, { running: 0, isAway: true });
    await clock.advance(499);
    expect(state.over).toBe('');
    await clock.advance(1);
    expect([calls, state.over, clock.pending()]).toEqual([['finish', 'stop', 'close'], 'ended', 0]);
  });

  it('waits on where the store is there, whatever runs, and notices where it goes away', async () => {
    const idle = ending(60_000, { running: 0 });
    await idle.clock.advance(59_000);
    expect(idle.state.over).toBe('');
    idle.state.isAway = true;
    await idle.clock.advance(500);
    expect(idle.state.over).toBe('ended');
    const busy = ending(1_000);
    await busy.clock.advance(10_000);
    expect(busy.state.over).toBe('');
    busy.state.isAway = true;
    await busy.clock.advance(500);
    expect(busy.state.over).toBe('ended');
  });

  it('ends at once where it never began', async () => {
    const { clock, calls, state } = ending(60_000, { hasBegun: false });
    await clock.advance(0);
    expect([calls, state.over, clock.pending()]).toEqual([['stop'], 'ended', 0]);
  });

  it('is stopped and closed also where it fails to end, which is told', async () => {
    const { clock, calls, state, fail } = ending(60_000);
    await clock.advance(0);
    fail(new Error('cut'));
    await clock.advance(0);
    expect([calls, state.over, clock.pending()]).toEqual([['finish', 'stop', 'close'], 'Error: cut', 0]);
  });
});
