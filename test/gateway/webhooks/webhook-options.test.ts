import { expect, it } from 'vitest';
import { deliveriesOf } from '../../../src/server/gateway/webhooks/webhook-options.js';
import { memoryWebhookStore } from '../../../src/server/gateway/store/memory-webhook-store.js';
import { playedTarget } from './support.js';

const sender = playedTarget();
const hourMs = 3_600_000;

it('are as they are documented where none is given', () => {
  const { store, random, slots, targets, ...rest } = deliveriesOf({ sender });
  expect(rest).toEqual({
    ...{ sender, allowHosts: [], timeoutMs: 15_000 },
    backoff: { baseMs: 5_000, capMs: hourMs },
  });
  expect([store.put, slots.run, targets.run].map((part) => typeof part)).toEqual([
    'function',
    'function',
    'function',
  ]);
  for (let count = 0; count < 100; count += 1) {
    expect(random()).toBeGreaterThanOrEqual(0);
    expect(random()).toBeLessThan(1);
  }
  const drawn = Array.from({ length: 100 }, random);
  expect([drawn.some((one) => one < 0.5), drawn.some((one) => one >= 0.5)]).toEqual([true, true]);
});

it('are those that are given', () => {
  const store = memoryWebhookStore();
  const own = { allowHosts: ['a'], timeoutMs: 1, retryMs: 2, retryCapMs: 3 };
  expect(deliveriesOf({ sender, ...own }, store)).toMatchObject({
    ...{ store, allowHosts: ['a'], timeoutMs: 1, backoff: { baseMs: 2, capMs: 3 } },
  });
});

it('let 64 requests be under way, of all webhooks', () => {
  const { slots } = deliveriesOf({ sender });
  let begun = 0;
  for (let count = 0; count < 70; count += 1) {
    void slots.run(() => {
      begun += 1;
      return new Promise(() => undefined);
    });
  }
  expect(begun).toBe(64);
});

it('let 4 requests of each target be under way', async () => {
  const { targets } = deliveriesOf({ sender });
  const begun: string[] = [];
  const waiting: (() => void)[] = [];
  const work = (name: string) => (): Promise<void> => {
    begun.push(name);
    return new Promise((resolve) => waiting.push(resolve));
  };
  const all = ['a', 'a', 'a', 'a', 'a', 'b'].map((name) => targets.run(name, work(name)));
  expect(begun).toEqual(['a', 'a', 'a', 'a', 'b']);
  waiting[0]?.();
  await all[0];
  expect(begun).toEqual(['a', 'a', 'a', 'a', 'b', 'a']);
});
