import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import type { Queue } from 'bullmq';
import { readyEngine } from '../../../src/server/queue/engine/ready-engine.js';

/** Queues of BullMQ, of which the first `broken` fail at their first question. */
const world = (broken: number) => {
  const opened: { readonly isClosed: () => boolean; readonly emitter: EventEmitter }[] = [];
  const engine = readyEngine(() => {
    const fails = opened.length < broken;
    let isClosed = false;
    const emitter = new EventEmitter();
    opened.push({ isClosed: () => isClosed, emitter });
    return Object.assign(emitter, {
      nth: opened.length,
      metaValues: { version: 'bullmq:6.0.0' },
      waitUntilReady: () => (fails ? Promise.reject(new Error('cut')) : Promise.resolve()),
      close: () => {
        isClosed = true;
        return fails ? Promise.reject(new Error('cut')) : Promise.resolve();
      },
    }) as unknown as Queue;
  });
  return { engine, opened };
};

it('opens one queue, and gives it once it can work', async () => {
  const { engine, opened } = world(0);
  expect(await engine.ready()).toBe(await engine.ready());
  expect(opened).toHaveLength(1);
  // BullMQ says so of every attempt to connect.
  expect(() => opened[0]?.emitter.emit('error', new Error('away'))).not.toThrow();
  await engine.close();
  expect(opened[0]?.isClosed()).toBe(true);
});

it('opens another queue where the first question failed, once for calls that waited together', async () => {
  const { engine, opened } = world(1);
  const both = await Promise.allSettled([engine.ready(), engine.ready()]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(opened.map(({ isClosed }) => isClosed())).toEqual([true, false]);
  expect(await engine.ready()).toMatchObject({ nth: 2 });
  expect(() => opened[1]?.emitter.emit('error', new Error('away'))).not.toThrow();
  await engine.close();
  expect(opened.map(({ isClosed }) => isClosed())).toEqual([true, true]);
});
