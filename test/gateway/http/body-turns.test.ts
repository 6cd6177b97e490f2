import { bodyTurns } from '../../../src/server/gateway/http/body-turns.js';
import { expect, it } from 'vitest';
import { virtualClock } from '../../../src/testing/virtual-clock.js';

const mebi = 2 ** 20;

const world = () => {
  const clock = virtualClock();
  const turns = bodyTurns(clock);
  /** Reads so many bytes in pieces; gives how many of them have been read. */
  const read = (name: string, bytes: number, piece = mebi) => {
    let done = 0;
    void (async () => {
      while (done < bytes) {
        await turns.take(name, piece);
        done += piece;
      }
    })();
    return () => done / mebi;
  };
  return { clock, turns, read };
};

it('a caller that is alone reads all at once, however much it is', async () => {
  const { clock, turns, read } = world();
  turns.called('ann');
  const done = read('ann', 300 * mebi);
  await clock.advance(0);
  expect(done()).toBe(300);
});

it('a caller is alone however often it calls, and until another one has called', async () => {
  const { clock, turns, read } = world();
  for (let nth = 0; nth < 3; nth += 1) turns.called('ann');
  const alone = read('ann', 100 * mebi);
  await clock.advance(0);
  expect(alone()).toBe(100);
  for (const name of ['bob', 'ann', 'ann']) turns.called(name);
  const beside = read('ann', 100 * mebi);
  await clock.advance(0);
  expect(beside()).toBe(0);
});

it('beside others a caller reads 32 MiB at once, and 4 MiB a second from then on, in all of its requests', async () => {
  const { clock, turns, read } = world();
  turns.called('bob');
  turns.called('mallory');
  const both = [read('mallory', 40 * mebi), read('mallory', 40 * mebi)];
  const inAll = () => both.reduce((sum, done) => sum + done(), 0);
  const honest = read('bob', 8 * mebi);
  await clock.advance(0);
  expect([inAll(), honest()]).toEqual([32, 8]);
  for (let second = 1; second <= 3; second += 1) {
    turns.called('bob');
    await clock.advance(1_000);
    expect(inAll()).toBe(32 + 4 * second);
  }
});

it('a caller owes nothing for what it read alone, and is free once the others have left', async () => {
  const { clock, turns, read } = world();
  turns.called('mallory');
  const alone = read('mallory', 100 * mebi);
  await clock.advance(0);
  expect(alone()).toBe(100);
  turns.called('bob');
  const beside = read('mallory', 100 * mebi);
  await clock.advance(1_000);
  expect(beside()).toBe(4);
  await clock.advance(1_250);
  turns.called('mallory');
  await clock.advance(250);
  expect(beside()).toBe(100);
});

it('remembers ten thousand callers, and beyond them those who still have to wait', async () => {
  const { clock, turns, read } = world();
  const many = () => {
    for (let nth = 0; nth < 10_000; nth += 1) turns.called(String(nth));
  };
  turns.called('bob');
  turns.called('mallory');
  const owed = read('mallory', 100 * mebi);
  await clock.advance(0);
  expect(owed()).toBe(32);
  many();
  await clock.advance(2_001);
  turns.called('bob');
  turns.called('carol');
  // One that is not remembered has no burst to use up.
  const forgotten = read('7', 100 * mebi);
  turns.called('mallory');
  const again = read('mallory', 40 * mebi);
  await clock.advance(0);
  expect([forgotten(), again()]).toEqual([100, 0]);
});

it('forgets no caller that has called lately, however many others call', async () => {
  const { clock, turns, read } = world();
  turns.called('mallory');
  for (let nth = 0; nth < 10_000; nth += 1) turns.called(String(nth));
  const done = read('mallory', 40 * mebi);
  await clock.advance(0);
  expect(done()).toBe(32);
});

it('forgets callers beyond ten thousand that have nothing to wait for', async () => {
  const { clock, turns, read } = world();
  for (let nth = 0; nth < 10_000; nth += 1) turns.called(String(nth));
  await clock.advance(3_000);
  turns.called('bob');
  turns.called('mallory');
  const done = read('mallory', 40 * mebi);
  await clock.advance(0);
  expect(done()).toBe(32);
});
