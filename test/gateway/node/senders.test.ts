import { describe, expect, it } from 'vitest';
import { inputFetcher } from '../../../src/server/gateway/node/input-fetcher.js';
import type { Platform } from '../../../src/core/platform/platform.js';
import { webhookSender } from '../../../src/server/gateway/node/webhook-sender.js';

/** A platform that answers every request with these headers, and what it was asked. */
const platformOf = (headers: Readonly<Record<string, string>> = {}) => {
  const asked: unknown[] = [];
  const counts = { discarded: 0, closed: 0 };
  const platform = {
    request: (request: unknown) => {
      asked.push(request);
      const discard = (): void => void (counts.discarded += 1);
      return Promise.resolve({ status: 207, headers, body: 'the body', discard });
    },
    close: () => Promise.resolve(void (counts.closed += 1)),
  } as unknown as Pick<Platform, 'request' | 'close'>;
  return { asked, counts, platform };
};

const { signal } = new AbortController();
const url = 'https://target.example/';

describe('the sender of webhooks', () => {
  const message = { url, headers: { 'webhook-id': 'm' }, body: '{"a":1}', signal };

  it('posts to public addresses only, unless the operator allows any, and reads no body', async () => {
    const { asked, counts, platform } = platformOf({ 'retry-after': '7' });
    const { send } = webhookSender(platform);
    expect(await send({ ...message, anyAddress: false })).toEqual({ status: 207, retryAfter: '7' });
    await send({ ...message, anyAddress: true });
    const request = {
      method: 'POST',
      url,
      headers: message.headers,
      json: message.body,
      signal,
      streamed: true,
    };
    expect(asked).toEqual([{ ...request, addressClass: 'public' }, request]);
    expect(asked[1]).not.toHaveProperty('addressClass');
    expect(counts).toEqual({ discarded: 2, closed: 0 });
  });

  it('closes its platform', async () => {
    const { counts, platform } = platformOf();
    await webhookSender(platform).close?.();
    expect(counts.closed).toBe(1);
    await webhookSender({ request: platform.request }).close?.();
  });
});

describe('the fetcher of inputs', () => {
  it('asks public addresses only, unless the operator lists another, and gives the body as it comes', async () => {
    const { asked, counts, platform } = platformOf({ 'content-type': 'image/png' });
    const { fetch } = inputFetcher(platform);
    const answer = await fetch({ url, signal, anyAddress: false });
    expect(answer).toMatchObject({ status: 207, mediaType: 'image/png', body: 'the body' });
    expect(counts.discarded).toBe(0);
    answer.discard();
    await fetch({ url, signal, anyAddress: true });
    const headers = { accept: '*/*', 'user-agent': 'promptwire' };
    const request = { method: 'GET', url, signal, streamed: true, headers };
    expect(asked).toEqual([{ ...request, addressClass: 'public' }, request]);
    expect(asked[1]).not.toHaveProperty('addressClass');
    expect(counts.discarded).toBe(1);
  });

  it('closes its platform', async () => {
    const { counts, platform } = platformOf();
    await inputFetcher(platform).close?.();
    expect(counts.closed).toBe(1);
    await inputFetcher({ request: platform.request }).close?.();
  });
});
