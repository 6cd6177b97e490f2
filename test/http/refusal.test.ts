import { describe, expect, it } from 'vitest';
import { refusal } from '../../src/http/refusal.js';
import { fakePlatform } from '../helpers/fake-platform.js';
import { httpConnection } from '../helpers/http-connection.js';
import { get, submit } from '../helpers/play-call.js';

const context = {
  endpoint: 'GET /api/queue',
  promptId: 'a',
  timeoutMs: 1,
  redact: (text: string) => text.replaceAll('hush', '…'),
};
const typed = JSON.stringify({ error: { type: 'STORAGE_DOWN', message: 'hush' } });
const later = { 'retry-after': '3' };

describe('refusal', () => {
  it.each([
    ['a 404', get, 404, {}, '', 'refused'],
    ['a 429', submit, 429, later, '', 'refused'],
    ['a request that came too slowly', submit, 408, {}, '', 'unclear'],
    ['a failing service', get, 500, later, typed, 'unclear'],
    ['a 503 without a hint', get, 503, {}, typed, 'unclear'],
    ['a 503 with a hint, of a read', get, 503, later, '', 'refused'],
    ['a 503 with a hint alone, of a submission', submit, 503, later, '', 'unclear'],
    ['a 503 with a hint and a word, of a submission', submit, 503, later, typed, 'refused'],
  ])('says of %s where it leaves the service', (_, endpoint, status, headers, body, standing) => {
    const connection = httpConnection(fakePlatform());
    expect(refusal(connection, endpoint, { status, headers }, body, context).standing).toBe(standing);
  });

  it('gives the error its endpoint, its job, the time of the platform, and no secret', async () => {
    const platform = fakePlatform();
    await platform.clock.advance(1000);
    const date = new Date(platform.clock.wall() + 5000).toUTCString();
    const headers = { 'retry-after': date };
    const { error } = refusal(httpConnection(platform), get, { status: 503, headers }, typed, context);
    expect(error).toMatchObject({
      endpoint: 'GET /api/queue',
      promptId: 'a',
      retryAfterMs: Date.parse(date) - platform.clock.wall(),
      message: 'The service failed (503): …',
    });
  });
});
