import { describe, expect, it } from 'vitest';
import { filter, firstValueFrom, ReplaySubject } from 'rxjs';
import { life, playedGateway, playedService, submitted } from '../support.js';
import { memoryEventLog, memoryJobIndex, memoryWebhookStore } from '../../../src/gateway.js';
import { playedTarget, secret } from './support.js';
import type { WebhookProgress, WebhookStore } from '../../../src/server/gateway/ports/webhook-store.js';
import { webhookKinds } from '../../../src/core/events/webhook-kinds.js';

const hourMs = 3_600_000;
const registration = { url: 'https://target.example/hook', events: webhookKinds, secrets: [secret] };

describe('the messages of a webhook', () => {
  it('go to any address of a host that the operator allows, and to public ones of every other', async () => {
    const sender = playedTarget();
    const gateway = await playedGateway({ webhooks: { sender, allowHosts: ['10.0.0.5'] } });
    const owners = { alice: 'https://target.example/', bob: 'http://10.0.0.5:8080/' };
    let count = 0;
    for (const [name, url] of Object.entries(owners)) {
      await gateway.jobs.webhooks!.put(name, { ...registration, url, events: ['job.submitted'] });
      await submitted(gateway, { name });
      await sender.got((count += 1));
    }
    expect(sender.received.map(({ url, request }) => [url, request.anyAddress])).toEqual([
      ['https://target.example/', false],
      ['http://10.0.0.5:8080/', true],
    ]);
    expect(sender.received[0]?.request.headers).toMatchObject({
      ...{ 'content-type': 'application/json', 'user-agent': 'promptwire' },
    });
    await gateway.jobs.close();
  });

  it('are not sent to a host that the operator allows no more', async () => {
    const ports = { index: memoryJobIndex(), log: memoryEventLog(), webhookStore: memoryWebhookStore() };
    const first = await playedGateway({
      ...ports,
      webhooks: { sender: playedTarget(), allowHosts: ['10.0.0.5'] },
    });
    await first.jobs.webhooks!.put('alice', { ...registration, url: 'http://10.0.0.5/' });
    await first.jobs.close();
    const sender = playedTarget();
    const second = await playedGateway({ ...ports, webhooks: { sender } }, playedService());
    await submitted(second);
    await second.clock.advance(1_000);
    expect(sender.received).toEqual([]);
    expect(second.jobs.webhooks!.get('alice')?.lastFailure).toBe('its host is not public');
    await second.jobs.close();
  });

  it.each([
    ['as long as the target asks', '600', 600],
    ['until the time that it names', 'Thu, 01 Jan 2026 00:10:00 GMT', 600],
    ['an hour at most', '999999999', 3_600],
    ['as usual where it asks for nothing that can be read', 'soon', 0],
  ])('T11 wait before the next try: %s', async (_, retryAfter, waitS) => {
    const target = playedTarget();
    const gateway = await playedGateway({ webhooks: { sender: target } });
    const { clock, jobs } = gateway;
    await jobs.webhooks!.put('alice', { ...registration, events: ['job.submitted'] });
    target.answer = () => ({ status: 503, retryAfter });
    await submitted(gateway);
    await target.got(1);
    target.answer = () => 204;
    await clock.advance(Math.max(0, waitS * 1_000 - 1_000));
    expect(target.received).toHaveLength(1);
    await clock.advance(waitS === 0 ? 120_000 : 60_000);
    await target.got(2);
    await jobs.close();
  });

  it('park it a day after the first failure in a row, and not for one that was mended before', async () => {
    const target = playedTarget();
    const gateway = await playedGateway({ webhooks: { sender: target }, retentionMs: 200 * hourMs });
    const { clock, service, jobs } = gateway;
    await jobs.webhooks!.put('alice', registration);
    let failures = 1;
    target.answer = () => ((failures -= 1) >= 0 ? 500 : 200);
    await submitted(gateway);
    await target.got(1);
    await clock.advance(hourMs);
    await target.got(2);
    await clock.advance(25 * hourMs);
    // The next message of the same job fails once as well.
    failures = 1;
    service.jobs[0]!.move(life('p1')[1]!);
    await target.got(3);
    await clock.advance(hourMs);
    await target.got(4);
    await clock.advance(0);
    expect(jobs.webhooks!.get('alice')).toMatchObject({
      record: { url: registration.url },
      lastFailure: undefined,
    });
    expect(jobs.webhooks!.get('alice')?.record.parked).toBeUndefined();
    expect(target.received.map(({ type }) => type)).toEqual([
      ...['job.submitted', 'job.submitted', 'job.status', 'job.status'],
    ]);
    await jobs.close();
  });

  it('remember since when they fail, and begin the day anew when the webhook is put again', async () => {
    const memory = memoryWebhookStore();
    const noted = new ReplaySubject<WebhookProgress>(Infinity);
    const webhookStore: WebhookStore = {
      ...memory,
      progressed: async (owner, jobId, progress) => {
        await memory.progressed(owner, jobId, progress);
        noted.next(progress);
      },
    };
    const gateway = await playedGateway({ webhookStore, webhooks: { sender: playedTarget(() => 500) } });
    await gateway.jobs.webhooks!.put('alice', { ...registration, events: ['job.submitted'] });
    const { record } = await submitted(gateway);
    const kept = async () => (await memory.all())[0]?.progress.get(record.id);
    await firstValueFrom(noted.pipe(filter(({ failingSince }) => failingSince !== undefined)));
    expect(await kept()).toEqual({ failingSince: gateway.clock.wall() });
    // Nothing is to be sent of what it asks for now.
    await gateway.jobs.webhooks!.put('alice', { ...registration, events: ['job.output'] });
    expect(await firstValueFrom(noted.pipe(filter((one) => one.failingSince === undefined)))).toEqual({});
    await gateway.jobs.close();
  });

  it('wait for a log that does not answer, and for the end of a try whose gateway closes', async () => {
    const log = memoryEventLog();
    let isAway = false;
    const target = playedTarget();
    const gateway = await playedGateway({
      webhooks: { sender: target },
      log: {
        ...log,
        read: (...args) => (isAway ? Promise.reject(new Error('The log is away.')) : log.read(...args)),
      },
    });
    await gateway.jobs.webhooks!.put('alice', registration);
    isAway = true;
    await submitted(gateway);
    await gateway.clock.advance(999);
    isAway = false;
    expect(target.received).toEqual([]);
    await gateway.clock.advance(1);
    await target.got(1);
    await gateway.jobs.close();
    expect(gateway.clock.pending()).toBe(0);
  });
});
