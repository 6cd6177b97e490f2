import { describe, expect, it } from 'vitest';
import { alice, life, playedGateway, playedService, submitted } from '../support.js';
import { otherSecret, playedTarget, secret, signatureBy } from './support.js';
import { memoryEventLog, memoryJobIndex, memoryWebhookStore } from '../../../src/gateway.js';
import { webhookKinds } from '../../../src/core/events/webhook-kinds.js';

const registration = { url: 'https://target.example/hook', events: webhookKinds, secrets: [secret] };
const hourMs = 3_600_000;

/** Waits for tries up to the nth: an hour after each, as no wait before the next one is longer. */
const tries = async ({ target, clock }: Awaited<ReturnType<typeof aHook>>, from: number, to: number) => {
  for (let count = from; count <= to; count += 1) {
    // Signing takes turns of the event loop that no clock counts.
    await target.got(count);
    await clock.advance(hourMs);
  }
};

const aHook = async (target = playedTarget(), ports: Parameters<typeof playedGateway>[0] = {}) => {
  const gateway = await playedGateway({ webhooks: { sender: target }, ...ports });
  return { ...gateway, target, webhooks: gateway.jobs.webhooks! };
};

/** Plays a whole life of a job of Alice. */
const playJob = async ({ jobs, service }: Awaited<ReturnType<typeof aHook>>) => {
  const { record } = await submitted({ jobs });
  const played = service.jobs.at(-1)!;
  for (const state of life(played.promptId)) played.move(state);
  return record.id;
};

const kinds = ['job.submitted', 'job.status', 'job.output', 'job.output', 'job.ended'];

describe('webhooks', () => {
  it('get what happens to a job in order, signed, each message with an id of its own', async () => {
    const hook = await aHook();
    await hook.webhooks.put('alice', { ...registration, secrets: [secret, otherSecret] });
    const id = await playJob(hook);
    await hook.target.got(kinds.length);
    const { received } = hook.target;
    expect(received.map(({ type }) => type)).toEqual(kinds);
    expect(received.every(({ job }) => job === id)).toBe(true);
    expect(new Set(received.map((one) => one.id)).size).toBe(kinds.length);
    for (const { id: message, request } of received) {
      const { headers, body } = request;
      const timestamp = headers['webhook-timestamp'] ?? '';
      expect(timestamp).toBe(String(Math.floor(hook.clock.wall() / 1000)));
      const signatures = [secret, otherSecret].map((key) =>
        signatureBy(key, { id: message, timestamp, body }),
      );
      expect(headers['webhook-signature']).toBe(signatures.join(' '));
    }
    await hook.jobs.close();
  });

  it('get nothing of what was before, of other kinds, and of other callers', async () => {
    const hook = await aHook();
    await playJob(hook);
    await hook.webhooks.put('alice', { ...registration, events: ['job.ended'] });
    await hook.webhooks.put('bob', registration);
    const id = await playJob(hook);
    await hook.target.got(1);
    await hook.clock.advance(hourMs);
    expect(hook.target.received.map(({ type, job }) => [type, job])).toEqual([['job.ended', id]]);
    await hook.jobs.close();
  });

  it('are tried again with the same id and body, later and later, and hold up no other job', async () => {
    const target = playedTarget();
    const hook = await aHook(target);
    await hook.webhooks.put('alice', registration);
    let failures = 0;
    let slow: string | undefined;
    target.answer = ({ job }) => {
      slow ??= job;
      return job === slow && (failures += 1) <= 5 ? 500 : 204;
    };
    const first = await playJob(hook);
    const second = await playJob(hook);
    await tries(hook, 1, 2 * kinds.length + 5);
    // The messages of both go out side by side: the slow one is whichever came first.
    expect([first, second]).toContain(slow);
    const ofSlow = target.received.filter(({ job }) => job === slow);
    const ofOther = target.received.filter(({ job }) => job !== slow);
    expect(ofOther.map(({ type }) => type)).toEqual(kinds);
    expect(ofSlow.map(({ type }) => type)).toEqual([...Array<string>(5).fill('job.submitted'), ...kinds]);
    expect(new Set(ofSlow.map((one) => `${one.id} ${one.request.body}`)).size).toBe(kinds.length);
    await hook.jobs.close();
  });

  it('are parked once a message failed for a day, say why, and go on when they are put again', async () => {
    const target = playedTarget(() =>
      Promise.reject(Object.assign(new Error('at https://x'), { code: 'ECONNREFUSED' })),
    );
    const hook = await aHook(target, { retentionMs: 100 * hourMs });
    await hook.webhooks.put('alice', registration);
    await playJob(hook);
    const begin = hook.clock.wall();
    await tries(hook, 1, 1);
    expect(hook.webhooks.get('alice')).toMatchObject({
      lastFailure: 'it could not be reached (ECONNREFUSED)',
    });
    const parked = () => hook.webhooks.get('alice')!.record.parked;
    for (let count = 2; parked() === undefined; count += 1) await tries(hook, count, count);
    expect(parked()?.reason).toBe('it could not be reached (ECONNREFUSED)');
    expect(parked()!.at - begin).toBeGreaterThanOrEqual(24 * hourMs);
    const before = target.received.length;
    await hook.clock.advance(hourMs);
    expect(target.received).toHaveLength(before);
    expect(new Set(target.received.map(({ id }) => id)).size).toBe(1);
    target.answer = () => 200;
    await hook.webhooks.put('alice', registration);
    await hook.target.got(before + kinds.length);
    expect(target.received.slice(before).map(({ type }) => type)).toEqual(kinds);
    await hook.jobs.close();
  });

  it('are parked as well where the job is forgotten before its messages arrive', async () => {
    const hook = await aHook(
      playedTarget(() => 503),
      { retentionMs: hourMs },
    );
    await hook.webhooks.put('alice', registration);
    await playJob(hook);
    await hook.target.got(1);
    await hook.clock.advance(2 * hourMs);
    expect(hook.webhooks.get('alice')?.record.parked?.reason).toBe('it answered 503');
    await hook.jobs.close();
  });

  it('are parked at once by 410, and lose nothing until they are put again', async () => {
    const target = playedTarget(() => 410);
    const hook = await aHook(target);
    await hook.webhooks.put('alice', registration);
    await playJob(hook);
    await target.got(1);
    await hook.clock.advance(hourMs);
    expect(target.received).toHaveLength(1);
    expect(hook.webhooks.get('alice')?.record.parked?.reason).toBe('it answered 410: it is gone');
    target.answer = () => 200;
    await hook.webhooks.put('alice', { ...registration, url: 'https://new.example/' });
    await target.got(1 + kinds.length);
    expect(target.received.slice(1).map(({ type, url }) => [type, url])).toEqual(
      kinds.map((kind) => [kind, 'https://new.example/']),
    );
    expect(target.received[0]?.id).toBe(target.received[1]?.id);
    await hook.jobs.close();
  });

  it.each([
    ['a redirect', () => 302, 'it answered 302, and no redirect is followed'],
    ['no answer', () => new Promise<number>(() => undefined), 'no answer within 15000 ms'],
    [
      'an address that is not public',
      () => Promise.reject(Object.assign(new Error(), { code: 'EADDRCLASS' })),
      'its name leads to an address that is not public',
    ],
  ])('take %s for a failure', async (_, answer, reason) => {
    const hook = await aHook(playedTarget(answer));
    await hook.webhooks.put('alice', registration);
    await playJob(hook);
    await hook.target.got(1);
    await hook.clock.advance(15_001);
    expect(hook.webhooks.get('alice')?.lastFailure).toBe(reason);
    await hook.jobs.close();
  });

  it('end a try that never answers when the gateway closes, or the webhook is removed', async () => {
    const hook = await aHook(playedTarget(() => new Promise<number>(() => undefined)));
    await hook.webhooks.put('alice', registration);
    await hook.webhooks.put('bob', registration);
    await playJob(hook);
    await hook.target.got(1);
    expect(await hook.webhooks.remove('alice')).toBe(true);
    expect(await hook.webhooks.remove('alice')).toBe(false);
    expect(hook.target.received[0]?.request.signal.aborted).toBe(true);
    await hook.jobs.submit({ name: 'bob' }, { workflow: {} });
    await hook.target.got(2);
    await hook.jobs.close();
    expect(hook.target.received[1]?.request.signal.aborted).toBe(true);
  });

  it('send at most four at a time to one target', async () => {
    const waiting: (() => void)[] = [];
    const hook = await aHook(
      playedTarget(() => new Promise<number>((resolve) => waiting.push(() => resolve(200)))),
    );
    await hook.webhooks.put('alice', { ...registration, events: ['job.submitted'] });
    for (let count = 0; count < 9; count += 1) await submitted(hook);
    await hook.target.got(4);
    await hook.clock.advance(1_000);
    expect(hook.target.received).toHaveLength(4);
    for (let count = 1; count <= 9; count += 1) {
      await hook.target.got(count);
      waiting[count - 1]?.();
    }
    expect(new Set(hook.target.received.map(({ job }) => job)).size).toBe(9);
    await hook.jobs.close();
  });

  it('go on after a restart where they were, with the ids that they had', async () => {
    const ports = { index: memoryJobIndex(), log: memoryEventLog(), webhookStore: memoryWebhookStore() };
    const first = await aHook(
      playedTarget(({ type }) => (type === 'job.output' ? 500 : 200)),
      ports,
    );
    await first.webhooks.put('alice', registration);
    const id = await playJob(first);
    await first.target.got(3);
    await first.jobs.close();

    const target = playedTarget();
    const gateway = await playedGateway({ ...ports, webhooks: { sender: target } }, playedService());
    await target.got(3);
    expect(target.received.map(({ type, job }) => [type, job])).toEqual(
      kinds.slice(2).map((kind) => [kind, id]),
    );
    expect(target.received[0]?.id).toBe(first.target.received[2]?.id);
    await gateway.jobs.close();
  });

  it('say that events are gone which the log does not keep', async () => {
    const log = memoryEventLog({ maxEvents: 3 });
    const hook = await aHook(
      playedTarget(() => 503),
      { log },
    );
    await hook.webhooks.put('alice', registration);
    const id = await playJob(hook);
    await hook.target.got(1);
    hook.target.answer = () => 200;
    await hook.webhooks.put('alice', registration);
    const isGap = ({ type, job }: { readonly type: string; readonly job: string }) =>
      type === 'job.gap' && job === id;
    while (!hook.target.received.some(isGap)) await hook.target.got(hook.target.received.length + 1);
    expect((await hook.jobs.get(alice, id))?.state.phase).toBe('completed');
    await hook.jobs.close();
  });
});
