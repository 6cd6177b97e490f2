import { describe, expect, it } from 'vitest';
import {
  eventStream,
  type EventStreamOptions,
  StreamEnd,
} from '../../../src/client/dialects/v2/event-stream.js';
import type { StreamEvent } from '../../../src/client/dialects/v2/messages.js';
import { TransportError } from '../../../src/core/platform/platform.js';
import { v2Platform } from '../../helpers/v2-platform.js';

const listening = (options: Pick<EventStreamOptions, 'maxMessageBytes' | 'tooLarge'> = {}) => {
  const { platform, streams } = v2Platform();
  const events: StreamEvent[] = [];
  const calls: string[] = [];
  let end: unknown;
  const subscription = eventStream({
    clock: platform.clock,
    request: (signal) => platform.request({ method: 'GET', url: 'http://x/events', headers: {}, signal }),
    answered: () => calls.push('answered'),
    opened: () => calls.push('opened'),
    ...options,
  }).subscribe({
    next: (event) => events.push(event),
    error: (error: unknown) => (end = error),
    complete: () => (end = 'completed'),
  });
  return { platform, stream: streams[0]!, events, calls, end: () => end, subscription };
};

describe('eventStream', () => {
  it('reads events in any legal spelling, cut anywhere', async () => {
    const { platform, stream, events, calls } = listening();
    stream.open();
    for (const piece of [
      '\uFEFF: hi\r\nid: 7\nretry: 1\nevent: st',
      'atus\r\ndata: {"status":\rdata:"running"}\r',
      '\n\r\nevent: log\ndata:no JSON\n\n',
    ])
      stream.text(piece);
    await platform.clock.advance(0);
    expect(events).toEqual([
      { event: 'status', data: { status: 'running' } },
      { event: 'log', data: 'no JSON' },
    ]);
    expect(calls).toEqual(['answered', 'opened']);
  });

  it.each([
    [404, {}, 'completed'],
    [501, {}, 'completed'],
    [302, {}, 'completed'],
    [200, { 'content-type': 'application/json' }, 'completed'],
    [204, {}, 'completed'],
    [401, {}, { kind: 'refused', status: 401 }],
    [429, { 'retry-after': '7' }, { kind: 'throttled', retryAfterMs: 7_000 }],
    [429, {}, { kind: 'throttled', retryAfterMs: 0 }],
    [503, {}, { kind: 'lost', status: 503 }],
  ])('takes %i %o as %o', async (status, headers, expected) => {
    const { platform, stream, end, calls } = listening();
    stream.answer(status, headers);
    await platform.clock.advance(0);
    if (typeof expected === 'string') expect(end()).toBe(expected);
    else expect(end()).toMatchObject(expected);
    expect(calls).toEqual(['answered']);
    expect(stream.isDiscarded()).toBe(true);
    expect(platform.clock.pending()).toBe(0);
  });

  it('takes a clean close, a cut and a failed request for a lost connection', async () => {
    const [closed, cut, failed] = [listening(), listening(), listening()];
    closed.stream.open();
    closed.stream.event('status', { status: 'running' });
    closed.stream.end();
    cut.stream.open();
    cut.stream.text('event: status\ndata: {"sta');
    cut.stream.fail(new TransportError('ECONNRESET', 'reset', true));
    failed.stream.fail(new TransportError('ECONNREFUSED', 'refused', false));
    for (const { platform } of [closed, cut, failed]) await platform.clock.advance(0);
    expect([closed, cut, failed].map(({ end }) => end())).toMatchObject([
      { kind: 'lost', code: 'EOF' },
      { kind: 'lost', code: 'ECONNRESET' },
      { kind: 'lost', code: 'ECONNREFUSED' },
    ]);
  });

  it('gives a stream up after 45 s without a byte; a comment is a sign of life', async () => {
    const { platform, stream, end } = listening();
    stream.open();
    await platform.clock.advance(40_000);
    stream.text(': keepalive\n\n');
    await platform.clock.advance(44_999);
    expect(end()).toBeUndefined();
    await platform.clock.advance(1);
    expect(end()).toMatchObject({ kind: 'lost', code: 'ETIMEDOUT' });
    expect(stream.isLeft()).toBe(true);
  });

  it('counts the 45 s from the answer on, however late it comes', async () => {
    const { platform, stream, end } = listening();
    await platform.clock.advance(40_000);
    stream.open();
    await platform.clock.advance(44_999);
    expect(end()).toBeUndefined();
    await platform.clock.advance(1);
    expect(end()).toMatchObject({ kind: 'lost', code: 'ETIMEDOUT' });
  });

  it('N1 says that an event was larger than the client lets it be', async () => {
    let tooLarge = 0;
    const { platform, stream, end } = listening({ maxMessageBytes: 100, tooLarge: () => (tooLarge += 1) });
    stream.open();
    stream.text(`event: preview\ndata: ${'x'.repeat(60)}\n\n`);
    await platform.clock.advance(0);
    expect([tooLarge, end()]).toEqual([0, undefined]);
    stream.text(`event: preview\ndata: ${'x'.repeat(100)}`);
    await platform.clock.advance(0);
    expect(tooLarge).toBe(1);
    expect(end()).toMatchObject({ kind: 'lost', code: 'EMSGSIZE' });
  });

  it('gives a stream up at once where an event grows beyond 32 MiB', async () => {
    const { platform, stream, end } = listening();
    stream.open();
    stream.text(`event: preview\ndata: ${'x'.repeat(32 * 1024 * 1024)}`);
    await platform.clock.advance(0);
    expect(end()).toMatchObject({ kind: 'lost', code: 'EMSGSIZE' });
    expect(stream.isLeft()).toBe(true);
  });

  it.each([
    ['credential_expired', { kind: 'refused', status: 401 }],
    ['unauthorized', { kind: 'refused', status: 401 }],
  ])('ends with the refusal of the key after the error %s', async (code, expected) => {
    const { platform, stream, events, end } = listening();
    stream.open();
    stream.event('error', { error: { code, message: 'over' } });
    await platform.clock.advance(0);
    expect(events.map(({ event }) => event)).toEqual(['error']);
    expect(end()).toBeInstanceOf(StreamEnd);
    expect(end()).toMatchObject(expected);
  });

  it('ends for good after an error about the job', async () => {
    const { platform, stream, end } = listening();
    stream.open();
    stream.event('error', { error: { code: 'job_not_found' } });
    await platform.clock.advance(0);
    expect(end()).toBe('completed');
  });

  it('closes the connection when it is unsubscribed from, also before the answer', async () => {
    const { platform, stream, subscription, end, calls } = listening();
    subscription.unsubscribe();
    expect(stream.isLeft()).toBe(true);
    stream.open();
    await platform.clock.advance(60_000);
    expect([end(), calls, platform.clock.pending()]).toEqual([undefined, [], 0]);
  });

  it('discards the answer that comes in the turn in which it is unsubscribed from', async () => {
    const { platform, stream, subscription, calls } = listening();
    stream.open();
    subscription.unsubscribe();
    await platform.clock.advance(0);
    expect([stream.isDiscarded(), calls, platform.clock.pending()]).toEqual([true, [], 0]);
  });
});
