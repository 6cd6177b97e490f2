import { expect, it } from 'vitest';
import { gatheredBody } from '../../../src/core/platform/node/gathered-body.js';

const piece = (...bytes: readonly number[]): Uint8Array => new Uint8Array(bytes);

it('gives the pieces in their order, those from before and those that come while it is read', async () => {
  const body = gatheredBody();
  body.push(piece(1));
  body.push(piece(2));
  const read: number[] = [];
  const reading = (async () => {
    for await (const one of body) read.push(...one);
  })();
  await Promise.resolve();
  for (const next of [3, 4]) {
    await new Promise(setImmediate);
    body.push(piece(next));
  }
  await new Promise(setImmediate);
  expect(read).toEqual([1, 2, 3, 4]);
  body.push(piece(5));
  body.end();
  await reading;
  expect(read).toEqual([1, 2, 3, 4, 5]);
});

it('ends a reader that waits', async () => {
  const body = gatheredBody();
  const reading = body[Symbol.asyncIterator]().next();
  await Promise.resolve();
  body.end();
  expect(await reading).toEqual({ done: true, value: undefined });
});

it('gives a piece that comes while the one before is read', async () => {
  const body = gatheredBody();
  body.push(piece(1));
  const read: number[] = [];
  for await (const [one = 0] of body) {
    read.push(one);
    if (one < 3) body.push(piece(one + 1));
    else body.end();
  }
  expect(read).toEqual([1, 2, 3]);
});

it('gives what has gathered before it rejects, also where it is read only then', async () => {
  const body = gatheredBody();
  const reason = new Error('cut');
  body.push(piece(1));
  body.fail(reason);
  const read: number[] = [];
  const reading = (async () => {
    for await (const one of body) read.push(...one);
  })();
  await expect(reading).rejects.toBe(reason);
  expect(read).toEqual([1]);
});

it('rejects a reader that waits, and keeps its first end', async () => {
  const body = gatheredBody();
  const reading = body[Symbol.asyncIterator]().next();
  await Promise.resolve();
  const reason = new Error('cut');
  body.fail(reason);
  body.fail(new Error('later'));
  await expect(reading).rejects.toBe(reason);
  const whole = gatheredBody();
  whole.end();
  whole.fail(reason);
  expect(await whole[Symbol.asyncIterator]().next()).toEqual({ done: true, value: undefined });
});
