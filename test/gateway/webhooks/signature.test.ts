import { describe, expect, it } from 'vitest';
import { otherSecret, secret, signatureBy } from './support.js';
import { signMessage } from '../../../src/server/gateway/webhooks/signature.js';
import { verifyWebhook } from '../../../src/gateway.js';
import { Webhook } from 'standardwebhooks';

const body = JSON.stringify({ type: 'job.ended', timestamp: '2026-01-01T00:00:00.000Z', data: { job: 'ä' } });
const atMs = 1_767_225_600_000;
const now = () => atMs;
const id = 'msg_1';
const timestamp = String(atMs / 1000);
const secretOf = (bytes: number): string => `whsec_${Buffer.alloc(bytes, 7).toString('base64')}`;
const good = () => signMessage([secret], { id, atMs, body });

describe('a signature', () => {
  it('is that of Standard Webhooks, one for each secret', async () => {
    const headers = await signMessage([secret, otherSecret], { id, atMs, body });
    const expected = [secret, otherSecret].map((key) => signatureBy(key, { id, timestamp, body })).join(' ');
    expect(headers).toEqual({
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': expected,
    });
  });

  it('is that of the example of the specification', async () => {
    const example = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const signed = await signMessage([example], {
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      atMs: 1_614_265_330_000,
      body: '{"test": 2432232314}',
    });
    expect(signed['webhook-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });
});

describe('a message', () => {
  it('N5 gives integers beyond 2^53 as they were signed', async () => {
    const exact = body.replace('"ä"', '18446744073709551615');
    const headers = await signMessage([secret], { id, atMs, body: exact });
    expect(await verifyWebhook([secret], { ...headers }, exact, { now })).toMatchObject({
      right: { data: { job: 18446744073709551615n } },
    });
  });
});

describe('a secret', () => {
  it.each([24, 32, 64])('of %i bytes signs and verifies', async (bytes) => {
    const own = secretOf(bytes);
    const headers = await signMessage([own, 'no secret'], { id, atMs, body });
    expect(headers['webhook-signature']).toBe(signatureBy(own, { id, timestamp, body }));
    expect((await verifyWebhook([own], { ...headers }, body, { now }))._tag).toBe('Right');
  });
});

describe('the package standardwebhooks', () => {
  it('verifies what the gateway signs, with any of its secrets, and with no other', async () => {
    const sent = await signMessage([secret, otherSecret], { id, atMs: Date.now(), body });
    for (const key of [secret, otherSecret]) {
      expect(new Webhook(key).verify(body, { ...sent })).toEqual(JSON.parse(body));
    }
    expect(() => new Webhook(secret).verify(`${body} `, { ...sent })).toThrow('No matching signature');
  });

  it('signs what verifyWebhook takes', async () => {
    const signature = new Webhook(secret).sign(id, new Date(atMs), body);
    const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature };
    expect((await verifyWebhook([secret], headers, body, { now }))._tag).toBe('Right');
  });
});

describe('verifyWebhook', () => {
  it('gives the message, of a web request and of node:http, as text and as bytes', async () => {
    const headers = await good();
    const expected = {
      _tag: 'Right',
      right: { id, type: 'job.ended', timestamp: '2026-01-01T00:00:00.000Z', data: { job: 'ä' } },
    };
    const bytes = new TextEncoder().encode(body);
    expect(await verifyWebhook([secret], new Headers({ ...headers }), body, { now })).toEqual(expected);
    expect(await verifyWebhook([secret], { ...headers }, bytes, { now })).toEqual(expected);
  });

  it('T11 never rejects, whatever a program gives it, and asks for the raw body in place of a parsed one', async () => {
    const headers = { ...(await good()) };
    const throwing = {
      get: () => {
        throw new Error('gone');
      },
    };
    const values = [undefined, null, 7, {}, [], [null], 'text', Symbol('s'), throwing, new Uint8Array(3)];
    const call = verifyWebhook as (...args: readonly unknown[]) => ReturnType<typeof verifyWebhook>;
    for (const value of values)
      for (const args of [
        [value, headers, body],
        [[secret], value, body],
        [[secret], headers, value],
        [[secret], headers, body, value ?? null],
      ])
        expect((await call(...args))._tag).toMatch(/^(?:Left|Right)$/u);
    expect(await call([secret], headers, JSON.parse(body), { now })).toMatchObject({
      left: {
        reason: 'body',
        message:
          'Give the raw body, a text or bytes as they arrived: what a parser made of it has no signature.',
      },
    });
  });

  it('T11 takes the bytes of a body in whichever form a platform gives them', async () => {
    const bytes = new TextEncoder().encode(body);
    const within = new Uint8Array(bytes.length + 8);
    within.set(bytes, 3);
    for (const raw of [bytes.buffer, new DataView(within.buffer, 3, bytes.length), Buffer.from(body)]) {
      const verified = await verifyWebhook([secret], { ...(await good()) }, raw as Uint8Array, { now });
      expect(verified._tag).toBe('Right');
    }
  });

  it('takes any of its secrets and any of the signatures, while one is rotated', async () => {
    const both = await signMessage([otherSecret, secret], { id, atMs, body });
    expect((await verifyWebhook([secret], { ...both }, body, { now }))._tag).toBe('Right');
    expect((await verifyWebhook([otherSecret, secret], { ...(await good()) }, body, { now }))._tag).toBe(
      'Right',
    );
  });

  it.each<readonly [string, string, () => Promise<Parameters<typeof verifyWebhook>>]>([
    ['a secret that is none', 'secret', async () => [['secret'], { ...(await good()) }, body]],
    ['a secret of 23 bytes', 'secret', async () => [[secretOf(23)], { ...(await good()) }, body]],
    ['a secret of 65 bytes', 'secret', async () => [[secretOf(65)], { ...(await good()) }, body]],
    ['a secret behind other text', 'secret', async () => [[` ${secret}`], { ...(await good()) }, body]],
    ['a secret before other text', 'secret', async () => [[`${secret} `], { ...(await good()) }, body]],
    ['no secret', 'secret', async () => [[], { ...(await good()) }, body]],
    ['no headers', 'headers', () => Promise.resolve([[secret], {}, body])],
    [
      'a time that is none',
      'headers',
      async () => [[secret], { ...(await good()), 'webhook-timestamp': '1e9' }, body],
    ],
    ['an empty id', 'headers', async () => [[secret], { ...(await good()), 'webhook-id': '' }, body]],
    [
      'an id that came twice',
      'headers',
      async () => [[secret], { ...(await good()), 'webhook-id': [id, id] }, body],
    ],
    ['another secret', 'signature', async () => [[otherSecret], { ...(await good()) }, body]],
    ['another body', 'signature', async () => [[secret], { ...(await good()) }, `${body} `]],
    ['another id', 'signature', async () => [[secret], { ...(await good()), 'webhook-id': 'msg_2' }, body]],
    [
      'another time',
      'signature',
      async () => [[secret], { ...(await good()), 'webhook-timestamp': String(atMs / 1000 + 1) }, body],
    ],
    [
      'a signature of another version',
      'signature',
      async () => {
        const headers = await good();
        return [
          [secret],
          { ...headers, 'webhook-signature': headers['webhook-signature'].replace('v1,', 'v2,') },
          body,
        ];
      },
    ],
    [
      'a signature that is no base64',
      'signature',
      async () => [[secret], { ...(await good()), 'webhook-signature': 'v1,!!' }, body],
    ],
    [
      'a body that is no message',
      'body',
      async () => [[secret], { ...(await signMessage([secret], { id, atMs, body: '[]' })) }, '[]'],
    ],
  ])('refuses %s', async (_, reason, args) => {
    const [secrets, headers, sent] = await args();
    expect(await verifyWebhook(secrets, headers, sent, { now })).toMatchObject({
      left: { _tag: 'WebhookRefused', reason },
    });
  });

  it('refuses a message from another time, on both sides and by the tolerance', async () => {
    const at = async (offsetS: number, toleranceSeconds?: number) =>
      (
        await verifyWebhook([secret], { ...(await good()) }, body, {
          now: () => atMs + offsetS * 1000,
          ...(toleranceSeconds !== undefined && { toleranceSeconds }),
        })
      )._tag;
    expect(await Promise.all([at(300), at(-300), at(301), at(-301), at(10, 9)])).toEqual([
      'Right',
      'Right',
      'Left',
      'Left',
      'Left',
    ]);
  });
});
