import { deliveriesOf } from '../../../src/server/gateway/webhooks/webhook-options.js';
import { describe, expect, it } from 'vitest';
import { life, playedGateway, playedService, submitted } from '../support.js';
import { memoryEventLog, memoryJobIndex, memoryWebhookStore } from '../../../src/gateway.js';
import { otherSecret, type PlayedTarget, playedTarget, secret } from './support.js';
import { startWebhooks } from '../../../src/server/gateway/webhooks/start-webhooks.js';
import { Subject } from 'rxjs';
import { virtualClock } from '../../../src/testing/virtual-clock.js';
import type { WebhookStore } from '../../../src/server/gateway/ports/webhook-store.js';

const hourMs = 3_600_000;
const registration = {
  ...{ url: 'https://target.example/hook', secrets: [secret] },
  events: ['job.submitted', 'job.ended'] as const,
};

/** A gateway whose ports are there for the next one; `change` puts something in the way of its webhooks' store. */
const twoStarts = async (
  target: PlayedTarget,
  change: (store: WebhookStore) => Partial<WebhookStore> = () => ({}),
) => {
  const webhookStore = memoryWebhookStore();
  const ports = { index: memoryJobIndex(), log: memoryEventLog(), retentionMs: hourMs };
  const open = async (sender: PlayedTarget, store: WebhookStore = webhookStore) => {
    const gateway = await playedGateway(
      { ...ports, webhookStore: store, webhooks: { sender } },
      playedService(),
    );
    return { ...gateway, webhooks: gateway.jobs.webhooks! };
  };
  const first = await open(target, { ...webhookStore, ...change(webhookStore) });
  return { first, open, webhookStore };
};
const kept = async (store: WebhookStore) => [...((await store.all())[0]?.progress.keys() ?? [])];

describe('the webhook of an owner', () => {
  it('keeps its beginning and its age when it is put again, and takes the new secrets and kinds', async () => {
    const target = playedTarget();
    const { first, webhookStore } = await twoStarts(target);
    const { webhooks, clock } = first;
    const one = await webhooks.put('alice', registration);
    await clock.advance(1_000);
    const two = await webhooks.put('alice', {
      ...registration,
      secrets: [otherSecret],
      events: ['job.ended'],
    });
    expect([one.isNew, two.isNew]).toEqual([true, false]);
    expect(two.record).toEqual({ ...one.record, secrets: [otherSecret], events: ['job.ended'] });
    expect((await webhookStore.all())[0]?.record).toEqual(two.record);
    expect(webhooks.get('alice')?.record).toEqual(two.record);
    await submitted(first);
    first.service.jobs[0]!.move(life('p1').at(-1)!);
    await target.got(1);
    expect(target.received.map(({ type }) => type)).toEqual(['job.ended']);
    await first.jobs.close();
  });

  it('goes on as it was where the store takes no new one, or keeps the one that was to go', async () => {
    const target = playedTarget();
    let isFull = false;
    const full = (): Promise<never> => Promise.reject(new Error('The disk is full.'));
    const { first } = await twoStarts(target, (store) => ({
      put: (record) => (isFull ? full() : store.put(record)),
      remove: (owner) => (isFull ? full() : store.remove(owner)),
    }));
    const { webhooks } = first;
    const { record } = await webhooks.put('alice', registration);
    isFull = true;
    const another = { ...registration, url: 'https://another.example/' };
    await expect(webhooks.put('alice', another)).rejects.toThrow('The disk is full.');
    await expect(webhooks.put('bob', another)).rejects.toThrow('The disk is full.');
    expect([webhooks.get('alice')?.record, webhooks.get('bob')]).toEqual([record, undefined]);
    await submitted(first);
    await target.got(1);
    await expect(webhooks.remove('alice')).rejects.toThrow('The disk is full.');
    first.service.jobs[0]!.move(life('p1').at(-1)!);
    await target.got(2);
    expect(target.received.map(({ url, type }) => [url, type])).toEqual([
      [registration.url, 'job.submitted'],
      [registration.url, 'job.ended'],
    ]);
    isFull = false;
    expect(await webhooks.remove('alice')).toBe(true);
    expect(webhooks.get('alice')).toBeUndefined();
    await first.jobs.close();
  });

  it('is sent nothing once it is removed, and is gone from the store', async () => {
    const target = playedTarget();
    const { first, webhookStore } = await twoStarts(target);
    await first.webhooks.put('alice', registration);
    await first.webhooks.remove('alice');
    await submitted(first);
    await first.clock.advance(hourMs);
    expect([target.received, await webhookStore.all()]).toEqual([[], []]);
    await first.jobs.close();
  });

  it('has its changes in the order in which they came', async () => {
    const { first } = await twoStarts(playedTarget());
    const { webhooks } = first;
    const done = await Promise.all([
      webhooks.put('alice', registration),
      webhooks.remove('alice'),
      webhooks.put('alice', { ...registration, url: 'https://second.example/' }),
      webhooks.put('alice', { ...registration, url: 'https://third.example/' }),
    ]);
    expect(done.map((one) => (typeof one === 'boolean' ? one : one.isNew))).toEqual([
      true,
      true,
      true,
      false,
    ]);
    expect(webhooks.get('alice')?.record.url).toBe('https://third.example/');
    await first.jobs.close();
  });
});

/** Webhooks over a registry whose position of each owner is known once it is asked for, unless it stays unknown. */
const overRegistry = async (position?: string) => {
  const changes = new Subject<{ readonly owner: string; readonly jobId: string }>();
  const ends: string[] = [];
  const close = (what: string) => () => Promise.resolve(void ends.push(what));
  const known = new Map<string, string | undefined>();
  const registry = {
    ...{ changes, get: () => undefined, ofOwner: () => [] },
    ready: (owner: string) => Promise.resolve(void known.set(owner, position)),
    position: (owner: string) => known.get(owner),
  };
  const webhooks = await startWebhooks(
    {
      ...deliveriesOf(
        { sender: { ...playedTarget(), close: close('sender') } },
        { ...memoryWebhookStore(), close: close('store') },
      ),
      ...{ clock: virtualClock(), log: memoryEventLog() },
    },
    registry,
  );
  return { webhooks, changes, ends };
};

it('a webhook begins where the log of its owner is by then, or with each job where nothing tells', async () => {
  const { webhooks } = await overRegistry('e-7');
  expect((await webhooks.put('alice', registration)).record.from).toBe('e-7');
  const unknown = await overRegistry();
  expect((await unknown.webhooks.put('alice', registration)).record).not.toHaveProperty('from');
});

it('webhooks that are closed listen to nothing any more, and their sender and store are closed', async () => {
  const { webhooks, changes, ends } = await overRegistry();
  expect(changes.observed).toBe(true);
  await webhooks.close();
  expect([changes.observed, ends]).toEqual([false, ['sender', 'store']]);
});

describe('what a store keeps of a webhook', () => {
  it('goes with the job', async () => {
    const target = playedTarget();
    const { first, webhookStore } = await twoStarts(target);
    await first.webhooks.put('alice', registration);
    const { record } = await submitted(first);
    first.service.jobs[0]!.move(life('p1').at(-1)!);
    await target.got(2);
    await first.clock.advance(1_000);
    expect(await kept(webhookStore)).toEqual([record.id]);
    await first.clock.advance(2 * hourMs);
    expect([await kept(webhookStore), first.webhooks.get('alice')?.record.parked]).toEqual([[], undefined]);
    await first.jobs.close();
  });

  it('goes at the next start where the job went meanwhile', async () => {
    const target = playedTarget();
    const { first, open, webhookStore } = await twoStarts(target);
    await first.webhooks.put('alice', registration);
    const { record } = await submitted(first);
    await target.got(1);
    await first.clock.advance(1_000);
    await first.jobs.close();
    await webhookStore.progressed('alice', 'gone', { position: 'x' });
    const second = await open(playedTarget());
    await second.clock.advance(1_000);
    expect(await kept(webhookStore)).toEqual([record.id]);
    expect(second.webhooks.get('alice')?.record).toMatchObject({ url: registration.url });
    await second.jobs.close();
  });

  it('says that it is parked also after a start, until it is put again', async () => {
    const target = playedTarget(() => 410);
    const { first, open } = await twoStarts(target);
    await first.webhooks.put('alice', registration);
    await submitted(first);
    await target.got(1);
    await first.clock.advance(1_000);
    const parked = first.webhooks.get('alice')?.record.parked;
    expect(parked).toEqual({ at: first.clock.wall() - 1_000, reason: 'it answered 410: it is gone' });
    expect(first.webhooks.get('alice')?.lastFailure).toBeUndefined();
    await first.jobs.close();
    const later = playedTarget();
    const second = await open(later);
    await second.clock.advance(60_000);
    expect([later.received, second.webhooks.get('alice')?.record.parked]).toEqual([[], parked]);
    // What happens to a job of its owner holds up no other webhook.
    await second.webhooks.put('bob', registration);
    await submitted(second);
    await submitted(second, { name: 'bob' });
    await later.got(1);
    expect([later.received.length, second.webhooks.get('alice')?.record.parked]).toEqual([1, parked]);
    await second.webhooks.put('alice', registration);
    await later.got(2);
    expect(second.webhooks.get('alice')?.record).not.toHaveProperty('parked');
    await second.jobs.close();
  });
});
