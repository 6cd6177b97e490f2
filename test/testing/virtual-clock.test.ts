import { promisify } from 'node:util';
import { scrypt } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { debounceTime, delay, interval, of, take, timer, toArray } from 'rxjs';
import { virtualClock } from '../../src/testing/virtual-clock.js';

describe('virtualClock', () => {
  it('runs timers in the order of their times, and those of one time in the order in which they were set', async () => {
    const clock = virtualClock();
    const ran: string[] = [];
    clock.after(20, () => ran.push(`late ${clock.now()}`));
    clock.after(10, () => ran.push(`first ${clock.now()}`));
    clock.after(10, () => ran.push(`second ${clock.now()}`));
    clock.after(10, () => ran.push('cancelled'))();
    await clock.advance(15);
    expect(ran).toEqual(['first 10', 'second 10']);
    expect(clock.now()).toBe(15);
    await clock.advance(5);
    expect(ran.at(-1)).toBe('late 20');
    expect(clock.pending()).toBe(0);
  });

  it('lets promises settle between timers', async () => {
    const clock = virtualClock();
    const ran: string[] = [];
    clock.after(
      10,
      () => void Promise.resolve().then(() => clock.after(5, () => ran.push(`${clock.now()}`))),
    );
    clock.after(20, () => ran.push('20'));
    await clock.advance(20);
    expect(ran).toEqual(['15', '20']);
  });

  it.each([
    ['where no timer is left', false],
    ['where a timer comes again and again', true],
  ])('waits for work on other threads before it gives up, and for what follows it: %s', async (_, isBusy) => {
    const clock = virtualClock();
    const tick = (): void => void clock.after(600_000, tick);
    if (isBusy) tick();
    const hashed = promisify(scrypt)('password', 'salt', 16).then(
      () => new Promise<string>((resolve) => clock.after(1_000, () => resolve('hashed'))),
    );
    expect(await clock.until(hashed)).toBe('hashed');
    if (!isBusy) expect(clock.now()).toBe(1_000);
  });

  it('advances until a promise settles, and no further', async () => {
    const clock = virtualClock();
    clock.after(500, () => undefined);
    const value = new Promise((resolve) => clock.after(100, () => resolve('done')));
    expect(await clock.until(value)).toBe('done');
    expect(clock.now()).toBe(100);
    await expect(clock.until(Promise.reject(new Error('no')))).rejects.toThrow('no');
  });

  it('says where a promise is pending for too long, and where nothing can settle it', async () => {
    const [empty, busy] = [virtualClock(), virtualClock()];
    busy.after(5_000, () => undefined);
    await Promise.all([
      expect(empty.until(new Promise(() => undefined))).rejects.toThrow('no timer is left'),
      expect(busy.until(new Promise(() => undefined), 1_000)).rejects.toThrow('after 1000 ms'),
    ]);
  });

  it('is idle where only timers of the background are left', async () => {
    const clock = virtualClock();
    const tick = (): void => void clock.after(1_000, tick, { background: true });
    tick();
    clock.after(2_500, () => undefined);
    await clock.runUntilIdle();
    expect(clock.now()).toBe(2_500);
    clock.after(60_000, () => undefined);
    await expect(clock.runUntilIdle(10_000)).rejects.toThrow('timers are left after 10000 ms');
  });

  it('is a scheduler of RxJS', async () => {
    const clock = virtualClock();
    const seen: string[] = [];
    const write = (name: string) => (value: unknown) => seen.push(`${clock.now()} ${name} ${String(value)}`);
    timer(300, clock.scheduler).subscribe(write('timer'));
    interval(100, clock.scheduler).pipe(take(3), toArray()).subscribe(write('interval'));
    of('x').pipe(delay(50, clock.scheduler), debounceTime(20, clock.scheduler)).subscribe(write('debounced'));
    timer(10, clock.scheduler).subscribe(write('never')).unsubscribe();
    await clock.advance(1_000);
    expect(seen).toEqual(['50 debounced x', '300 timer 0', '300 interval 0,1,2']);
    expect(clock.pending()).toBe(0);
  });

  it('steps the wall clock alone, and blocks every timer while a program is busy', async () => {
    const clock = virtualClock();
    const wall = clock.wall();
    clock.stepWall(5_000);
    expect([clock.now(), clock.wall() - wall]).toEqual([0, 5_000]);
    const ran: number[] = [];
    clock.after(10, () => ran.push(clock.now()));
    clock.block(100);
    expect(ran).toEqual([]);
    await clock.advance(0);
    expect(ran).toEqual([100]);
  });
});
