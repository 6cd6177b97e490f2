import { deliveriesOf } from '../../../src/server/gateway/webhooks/webhook-options.js';
import { expect, it } from 'vitest';
import { memoryEventLog } from '../../../src/server/gateway/store/memory-event-log.js';
import { otherSecret, secret, signatureBy } from './support.js';
import { sendMessage } from '../../../src/server/gateway/webhooks/send-message.js';
import { virtualClock } from '../../../src/testing/virtual-clock.js';
import type { WebhookRequest } from '../../../src/server/gateway/webhooks/webhook-sender.js';

const message = { id: 'msg_1', body: '{"type":"job.ended"}', position: 'e-1' };
const record = { owner: 'alice', events: [], secrets: [secret, otherSecret], createdAt: 1 };

/** Sends the message to an address; gives how that ended, and what the sender got. */
const sent = async (url: string, stopped: AbortSignal = new AbortController().signal) => {
  const clock = virtualClock();
  const asked: WebhookRequest[] = [];
  const sender = {
    send: (request: WebhookRequest) => {
      asked.push(request);
      return Promise.resolve(204);
    },
  };
  const context = {
    ...{ ...deliveriesOf({ sender, allowHosts: ['10.0.0.5'] }), clock, log: memoryEventLog() },
    job: () => undefined,
  };
  return { result: await sendMessage(context, { ...record, url }, message, stopped), asked, clock };
};

it('sends a message signed with each secret, as of now', async () => {
  const { result, asked, clock } = await sent('https://target.example/x');
  expect(result).toEqual({ _tag: 'delivered' });
  const timestamp = String(clock.wall() / 1000);
  const { id, body } = message;
  expect(asked).toEqual([
    {
      ...{ url: 'https://target.example/x', body, anyAddress: false },
      headers: {
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        'webhook-signature': [secret, otherSecret]
          .map((key) => signatureBy(key, { id, timestamp, body }))
          .join(' '),
        'content-type': 'application/json',
        'user-agent': 'promptwire',
      },
      signal: expect.any(AbortSignal) as unknown,
    },
  ]);
});

it('lets the sender connect to any address of a host that the operator allows, and of no other', async () => {
  expect((await sent('http://10.0.0.5:8080/')).asked).toMatchObject([{ anyAddress: true }]);
  const { result, asked } = await sent('http://10.0.0.6/');
  expect([result, asked]).toEqual([{ _tag: 'failed', reason: 'its host is not public' }, []]);
});

it('sends nothing once it is stopped, which is no delivery', async () => {
  const { result, asked } = await sent('https://target.example/x', AbortSignal.abort());
  expect([result, asked]).toEqual([{ _tag: 'stopped' }, []]);
});
