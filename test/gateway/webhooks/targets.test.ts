import { describe, expect, it } from 'vitest';
import { alice, bob, playedGateway, submitted } from '../support.js';
import { jobWebhookName, targetOf } from '../../../src/server/gateway/webhooks/job-webhook.js';
import { playedTarget, secret } from './support.js';
import type { WebhookRecord } from '../../../src/server/gateway/ports/webhook-store.js';

const record = (owner: string, url: string, more: Partial<WebhookRecord> = {}): WebhookRecord => ({
  ...{ owner, url, events: [], secrets: [], createdAt: 1 },
  ...more,
});

describe('the target of a webhook', () => {
  const own = targetOf(record('alice', 'https://a.example/x'));

  it('is one for all webhooks of a caller at one origin, those of single jobs included', () => {
    expect(targetOf(record('alice', 'https://a.example/y?z'))).toBe(own);
    const ofJob = record(jobWebhookName('alice', 'j'), 'https://a.example/', {
      job: { id: 'j', owner: 'alice', base: '', inputs: {} },
    });
    expect(targetOf(ofJob)).toBe(own);
  });

  it('is another one for each other caller, and each other origin', () => {
    const others = [
      record('bob', 'https://a.example/x'),
      record('alice', 'http://a.example/x'),
      record('alice', 'https://a.example:8443/x'),
      record('alice', 'https://b.example/x'),
      // What a store may hold that an earlier version took.
      record('alice', 'no address'),
      record('alice', 'no other address'),
    ];
    expect(new Set([own, ...others.map(targetOf)]).size).toBe(others.length + 1);
  });
});

it('a target that does not answer holds up four messages of its caller, and none of others', async () => {
  const target = playedTarget(({ url }) => (url.includes('slow') ? new Promise(() => undefined) : 200));
  const gateway = await playedGateway({ webhooks: { sender: target } });
  const registration = {
    url: 'https://slow.example/',
    events: ['job.submitted'],
    secrets: [secret],
  } as const;
  await gateway.jobs.webhooks!.put('alice', registration);
  await gateway.jobs.webhooks!.put('bob', { ...registration, url: 'https://quick.example/' });
  for (let count = 0; count < 5; count += 1) await submitted(gateway, alice);
  for (let count = 0; count < 5; count += 1) await submitted(gateway, bob);
  await target.got(9);
  const to = (url: string) => target.received.filter((one) => one.url === url).length;
  expect([to('https://slow.example/'), to('https://quick.example/')]).toEqual([4, 5]);
  await gateway.jobs.close();
});
