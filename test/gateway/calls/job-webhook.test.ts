import {
  createGateway,
  type GatewayOptions,
  memoryWebhookStore,
  verifyWebhook,
} from '../../../src/gateway.js';
import { clientOf, life, type PlayedService, playedService, workflow } from '../support.js';
import { createRemote, type JobWebhook } from '../../../src/remote.js';
import type { GatewayTemplate } from '../../../src/server/gateway/templates.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { memoryEventLog } from '../../../src/server/gateway/store/memory-event-log.js';
import { memoryJobIndex } from '../../../src/server/gateway/store/memory-job-index.js';
import { otherSecret, playedTarget, type Received, secret } from '../webhooks/support.js';
import { virtualClock } from '../../../src/testing/virtual-clock.js';
import { webhookMessage } from '../../../src/server/gateway/contract/events.js';

const webhook: JobWebhook = {
  ...{ url: 'https://target.example/done', secrets: [secret], events: ['job.ended'] },
};
const template: GatewayTemplate = Object.assign(() => ({ _tag: 'Right' as const, right: workflow }), {
  jsonSchema: { type: 'object', properties: { steps: { type: 'integer' } } },
});

const played = (options: Partial<GatewayOptions> = {}) => {
  const service = playedService();
  const clock = virtualClock();
  const target = playedTarget();
  const webhookStore = memoryWebhookStore();
  const gateway = createGateway({
    ...{ client: clientOf(service), clock, authorize: () => ({ name: 'ann' }), keepMs: 60_000 },
    ...{ webhooks: { sender: target }, webhookStore, templates: { picture: template } },
    ...options,
  });
  onTestFinished(() => gateway.close());
  const send = (method: string, path: string, body: unknown, headers: Record<string, string> = {}) =>
    gateway.fetch(
      new Request(`http://h${path}`, {
        ...{ method, body: body instanceof FormData ? body : JSON.stringify(body) },
        headers: { ...(!(body instanceof FormData) && { 'content-type': 'application/json' }), ...headers },
      }),
    );
  return { service, clock, target, gateway, webhookStore, send };
};

const play = ({ jobs }: PlayedService): void => {
  for (const [at, { promptId, move }] of jobs.entries())
    for (const state of life(promptId, at + 1)) move(state);
};

/** The data of a message. */
const dataOf = ({ request }: Received): Readonly<Record<string, unknown>> =>
  (JSON.parse(request.body) as { data: Readonly<Record<string, unknown>> }).data;

describe('a call', () => {
  it('without a webhook makes a job that has none, where jobs may have them', async () => {
    const { send, service, webhookStore } = played();
    for (const path of ['/jobs', '/templates/picture']) {
      const answer = await send('POST', path, path === '/jobs' ? { workflow } : {});
      expect([path, answer.status]).toEqual([path, 201]);
    }
    expect([service.jobs.length, await webhookStore.all()]).toEqual([2, []]);
  });

  it('of a template that is not there makes no job, and one has the metadata that it gives', async () => {
    const { send, service } = played();
    const missing = await send('POST', '/templates/none', {});
    expect([missing.status, await missing.json()]).toMatchObject([404, { code: 'template_not_found' }]);
    expect(service.submitted).toEqual([]);
    const { id } = (await (
      await send('POST', '/templates/picture', { metadata: { order: '7' } })
    ).json()) as { readonly id: string };
    const job = await send('GET', `/jobs/${id}`, undefined);
    expect(await job.json()).toMatchObject({ metadata: { order: '7' }, template: 'picture' });
    const wrong = await send('POST', '/templates/picture', { metadata: 7 });
    expect(wrong.status).toBe(422);
  });
});

describe('the webhook of one job', () => {
  it('gets the end with inputs and outputs by name, signed, beside the webhook of the caller', async () => {
    const { send, service, target, clock } = played();
    const own = { url: 'https://own.example/', secrets: [otherSecret], events: ['job.ended'] };
    await send('PUT', '/webhooks', own);
    const submitted = await send('POST', '/jobs', { workflow, inputs: { 'Load.name': 'a.png' }, webhook });
    const { id } = (await submitted.json()) as { readonly id: string };
    await send('POST', '/jobs', { workflow });
    play(service);
    const received = await target.got(3);
    expect(received.map(({ url }) => url).toSorted()).toEqual([own.url, own.url, webhook.url]);
    const { request } = received.find(({ url }) => url === webhook.url)!;
    const verified = await verifyWebhook([secret], request.headers, request.body, { now: clock.wall });
    const url: unknown = expect.stringMatching(new RegExp(`^http://h/jobs/${id}/outputs/`, 'u'));
    expect(verified).toMatchObject({
      right: {
        type: 'job.ended',
        data: { job: id, inputs: { 'Load.name': 'a.png' }, outputs: { SaveImage: [{ url }, { url }] } },
      },
    });
    expect(webhookMessage.is(JSON.parse(request.body))).toBe(true);
    expect(new Set(received.map((one) => one.id)).size).toBe(3);
  });

  it('comes with a template and with a form as well', async () => {
    const { send, service, target } = played();
    await send('POST', '/templates/picture', { inputs: { steps: 4 }, webhook });
    const form = new FormData();
    form.set('steps', '5');
    form.set('webhook', JSON.stringify(webhook));
    await send('POST', '/templates/picture', form);
    play(service);
    const inputs = (await target.got(2)).map((one) => dataOf(one)['inputs']);
    // Both end at once: no order between the messages of two jobs.
    expect(inputs).toHaveLength(2);
    expect(inputs).toEqual(expect.arrayContaining([{ steps: 4 }, { steps: 5 }]));
  });

  it.each(['run', 'runTemplate'] as const)('is an option of `remote.%s`', async (call) => {
    const { gateway, service, target } = played();
    const remote = createRemote({
      url: 'http://h',
      fetch: (url, init) => gateway.fetch(new Request(url, init)),
    });
    const states =
      call === 'run' ? remote.run(workflow, { webhook }) : remote.runTemplate('picture', {}, { webhook });
    const ended = new Promise<void>((resolve, reject) => {
      states.subscribe({ complete: resolve, error: reject });
    });
    await expect.poll(() => service.jobs.length).toBe(1);
    play(service);
    await ended;
    const [message] = await target.got(1);
    expect([message?.url, message?.type]).toEqual([webhook.url, 'job.ended']);
    remote.close();
  });

  it('gets each event of the job from its beginning, in order, and of no other job', async () => {
    const { send, service, target } = played();
    const { url, secrets } = webhook;
    const submitted = await send('POST', '/jobs', { workflow, webhook: { url, secrets } });
    const { id } = (await submitted.json()) as { readonly id: string };
    await send('POST', '/jobs', { workflow });
    play(service);
    await expect.poll(() => target.received.at(-1)?.type).toBe('job.ended');
    expect(target.received[0]?.type).toBe('job.submitted');
    expect(new Set(target.received.map(({ job }) => job))).toEqual(new Set([id]));
  });

  it('is tried again, and goes on after a restart', async () => {
    const ports = { index: memoryJobIndex(), log: memoryEventLog(), webhookStore: memoryWebhookStore() };
    const first = played(ports);
    first.target.answer = () => 503;
    await first.send('POST', '/jobs', { workflow, webhook });
    play(first.service);
    await first.target.got(1);
    await first.clock.advance(5_000);
    const tries = await first.target.got(2);
    expect(new Set(tries.map(({ id, request }) => `${id} ${request.body}`)).size).toBe(1);
    await first.gateway.close();
    const second = played(ports);
    await second.gateway.ready;
    const [again] = await second.target.got(1);
    expect([again?.id, again?.request.body]).toEqual([tries[0]?.id, tries[0]?.request.body]);
  });

  it('takes the place of the one that came with the same key, and gets nothing twice', async () => {
    const { send, service, target } = played();
    const headers = { 'idempotency-key': 'one', 'idempotency-replay': 'true' };
    await send('POST', '/jobs', { workflow, webhook }, headers);
    const moved = { ...webhook, url: 'https://target.example/moved' };
    await send('POST', '/jobs', { workflow, webhook: moved }, headers);
    play(service);
    await target.got(1);
    await send('POST', '/jobs', { workflow, webhook }, headers);
    await send('POST', '/jobs', { workflow, webhook });
    service.jobs.slice(1).forEach(({ promptId, move }) => life(promptId, 2).forEach(move));
    expect((await target.got(2)).map(({ url }) => url)).toEqual([moved.url, webhook.url]);
    expect(service.submitted.length).toBe(2);
  });

  it('goes with the job', async () => {
    const { send, service, clock, webhookStore, target } = played();
    await send('POST', '/jobs', { workflow, webhook });
    expect((await webhookStore.all()).map(({ record }) => record.url)).toEqual([webhook.url]);
    play(service);
    await target.got(1);
    await clock.advance(24 * 60 * 60 * 1000);
    await expect.poll(async () => (await webhookStore.all()).length).toBe(0);
  });

  it('shares the four requests that a caller may have under way to one origin', async () => {
    const { send, service, target } = played();
    const waiting: (() => void)[] = [];
    target.answer = () => new Promise<number>((resolve) => waiting.push(() => resolve(200)));
    for (let at = 0; at < 6; at += 1)
      await send('POST', '/jobs', { workflow, webhook: { ...webhook, url: `https://target.example/${at}` } });
    play(service);
    await target.got(4);
    await send('GET', '/jobs', undefined);
    expect(target.received.length).toBe(4);
    for (let count = 1; count <= 6; count += 1) {
      await target.got(count);
      waiting[count - 1]?.();
    }
  });

  it('is guarded as the webhook of a caller is, and costs no job where it can not be used', async () => {
    const { send, service } = played();
    const wrongs = [{ url: 'http://127.0.0.1/' }, { url: 'http://u:p@target.example/' }, { secrets: [] }];
    for (const wrong of [
      ...wrongs.map((members) => ({ ...webhook, ...members })),
      { url: webhook.url },
      null,
    ]) {
      const answer = await send('POST', '/jobs', { workflow, webhook: wrong });
      const { code } = (await answer.json()) as { readonly code: string };
      expect([answer.status, code]).toEqual([422, 'invalid_webhook']);
    }
    expect(service.submitted.length).toBe(0);
  });

  it('is refused where the operator has not turned webhooks on', async () => {
    const { send, service } = played({ webhooks: undefined });
    const answer = await send('POST', '/jobs', { workflow, webhook });
    expect([answer.status, service.submitted.length]).toEqual([501, 0]);
  });
});
