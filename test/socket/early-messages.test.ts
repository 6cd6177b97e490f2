import { earlyMessages } from '../../src/socket/early-messages.js';
import { describe, expect, it } from 'vitest';
import type { Frame } from '../../src/protocol/frames/frame.js';
import type { SocketData } from '../../src/socket/open-socket.js';
import { virtualClock } from '../../src/testing/virtual-clock.js';

const event = (promptId: string, type: string): Frame =>
  ({ _tag: 'Event', type, promptId, data: {} }) as Frame;

const picture: Frame = { _tag: 'Preview', mediaType: 'image/jpeg', image: new Uint8Array() };

/** Messages of job p, told apart by their type. */
const decode = (data: SocketData): Frame =>
  event('p', typeof data === 'string' ? data : String(data.byteLength));

/** The types of what is kept of job p. */
const typesOf = (frames: readonly Frame[]): readonly string[] =>
  frames.map((frame) => (frame._tag === 'Event' ? frame.type : frame._tag));

describe('earlyMessages', () => {
  it('keeps nothing while no submission expects a job', () => {
    const kept = earlyMessages(virtualClock(), decode);
    kept.keep('early');
    expect(typesOf(kept.of('p'))).toEqual([]);
  });

  it('keeps in order until the last expectation ends', () => {
    const clock = virtualClock();
    const kept = earlyMessages(clock, decode);
    const endFirst = kept.begin();
    kept.keep('a');
    const endSecond = kept.begin();
    kept.keep('b');
    endFirst();
    endFirst();
    expect(typesOf(kept.of('p'))).toEqual(['a', 'b']);
    endSecond();
    expect(typesOf(kept.of('p'))).toEqual([]);
    expect(clock.pending()).toBe(0);
  });

  it('I-10: holds 1,000 messages at most and drops the oldest', () => {
    const kept = earlyMessages(virtualClock(), decode);
    kept.begin();
    for (let n = 0; n < 1_200; n += 1) kept.keep(String(n));
    expect(kept.of('p')).toHaveLength(1_000);
    expect(typesOf(kept.of('p'))[0]).toBe('200');
    expect(typesOf(kept.of('p')).at(-1)).toBe('1199');
  });

  it('holds 32 MiB at most', () => {
    const kept = earlyMessages(virtualClock(), decode);
    kept.begin();
    for (let n = 0; n < 5; n += 1) kept.keep(new ArrayBuffer(8 * 1024 * 1024));
    expect(kept.of('p')).toHaveLength(4);
  });

  it('I-10: counts text by the two bytes that each of its units may take', () => {
    const kept = earlyMessages(virtualClock(), decode);
    kept.begin();
    for (let n = 0; n < 5; n += 1) kept.keep(String(n).repeat(4 * 1024 * 1024));
    expect(typesOf(kept.of('p')).map((type) => type[0])).toEqual(['1', '2', '3', '4']);
  });

  it('forgets what is older than 30 s', async () => {
    const clock = virtualClock();
    const kept = earlyMessages(clock, decode);
    kept.begin();
    kept.keep('old');
    await clock.advance(20_000);
    kept.keep('young');
    await clock.advance(10_000);
    expect(typesOf(kept.of('p'))).toEqual(['young']);
    await clock.advance(30_000);
    expect(typesOf(kept.of('p'))).toEqual([]);
    expect(clock.pending()).toBe(0);
  });

  it('keeps what is younger than what it forgets, decoded or not', async () => {
    const clock = virtualClock();
    const kept = earlyMessages(clock, decode);
    kept.begin();
    kept.keep('old');
    await clock.advance(20_000);
    kept.keep('younger');
    kept.of('p');
    kept.keep('young');
    await clock.advance(10_000);
    expect(typesOf(kept.of('p'))).toEqual(['younger', 'young']);
    await clock.advance(30_000);
    kept.keep('new');
    expect(typesOf(kept.of('p'))).toEqual(['new']);
  });

  it('begins anew with the next expectation, after the last one has ended', async () => {
    const clock = virtualClock();
    const kept = earlyMessages(clock, decode);
    const end = kept.begin();
    for (let n = 0; n < 4; n += 1) kept.keep(new ArrayBuffer(8 * 1024 * 1024));
    expect(kept.of('p')).toHaveLength(4);
    end();
    kept.begin();
    kept.keep('next');
    expect(typesOf(kept.of('p'))).toEqual(['next']);
    await clock.advance(30_000);
    expect(kept.of('p')).toEqual([]);
  });

  it('holds no program open by its sweep', async () => {
    const clock = virtualClock();
    const options: unknown[] = [];
    const after: typeof clock.after = (ms, work, how) => {
      options.push(how);
      return clock.after(ms, work);
    };
    const kept = earlyMessages({ ...clock, after }, decode);
    kept.begin();
    kept.keep('old');
    await clock.advance(20_000);
    kept.keep('young');
    await clock.advance(10_000);
    expect(options).toEqual([{ background: true }, { background: true }]);
  });

  it('decodes a message once, however many ask, and none before', () => {
    const decoded: SocketData[] = [];
    const kept = earlyMessages(virtualClock(), (data) => {
      decoded.push(data);
      return decode(data);
    });
    const end = kept.begin();
    kept.keep('a');
    expect(decoded).toEqual([]);
    kept.of('p');
    kept.keep('b');
    kept.of('q');
    kept.of('p');
    expect(decoded).toEqual(['a', 'b']);
    end();
  });

  it('gives a picture without a name to the one job that runs among what is kept', () => {
    const messages: Readonly<Record<string, Frame>> = {
      picture,
      'p begins': event('p', 'execution_start'),
      'q begins': event('q', 'execution_start'),
      'p ends': event('p', 'execution_success'),
    };
    const kept = earlyMessages(virtualClock(), (data) => messages[data as string]!);
    const keepAll = (...data: readonly string[]): void => data.forEach(kept.keep);
    const end = kept.begin();
    keepAll('picture', 'p begins', 'picture');
    expect(typesOf(kept.of('p'))).toEqual(['execution_start', 'Preview']);
    keepAll('q begins', 'picture', 'p ends', 'picture');
    expect(typesOf(kept.of('p'))).toEqual(['execution_start', 'Preview', 'execution_success']);
    expect(typesOf(kept.of('q'))).toEqual(['execution_start', 'Preview']);
    end();
    kept.begin();
    keepAll('picture');
    expect(kept.of('q')).toEqual([]);
  });

  it('takes the frame of a message that another caller has decoded', () => {
    const decoded: SocketData[] = [];
    const kept = earlyMessages(virtualClock(), (data) => {
      decoded.push(data);
      return decode(data);
    });
    expect(kept.keep('before')).toBeUndefined();
    kept.begin();
    const frame = event('p', 'decoded');
    kept.keep('a')!.frame = frame;
    kept.keep('b');
    expect(kept.of('p')[0]).toBe(frame);
    expect(typesOf(kept.of('p'))).toEqual(['decoded', 'b']);
    expect(decoded).toEqual(['b']);
  });
});
