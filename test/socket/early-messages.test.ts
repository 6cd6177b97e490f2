import { earlyMessages } from '../../src/core/socket/early-messages.js';
import { describe, expect, it } from 'vitest';
import type { Frame } from '../../src/core/protocol/frames/frame.js';
import type { SocketData } from '../../src/core/socket/open-socket.js';

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
    const kept = earlyMessages(decode);
    kept.keep('early');
    expect(typesOf(kept.of('p'))).toEqual([]);
  });

  it('keeps in order until the last expectation ends', () => {
    const kept = earlyMessages(decode);
    const endFirst = kept.begin();
    kept.keep('a');
    const endSecond = kept.begin();
    kept.keep('b');
    expect(typesOf(kept.of('p'))).toEqual(['a', 'b']);
    endSecond();
    endSecond();
    expect(typesOf(kept.of('p'))).toEqual(['a', 'b']);
    endFirst();
    expect(typesOf(kept.of('p'))).toEqual([]);
  });

  it.each([false, true])(
    'N6 forgets what came before all open expectations, and nothing else (decoded: %s)',
    (isDecoded) => {
      const kept = earlyMessages(decode);
      const endFirst = kept.begin();
      kept.keep('before');
      const endSecond = kept.begin();
      kept.keep('after');
      if (isDecoded) kept.of('p');
      endFirst();
      kept.keep('later');
      expect(typesOf(kept.of('p'))).toEqual(['after', 'later']);
      endSecond();
      expect(typesOf(kept.of('p'))).toEqual([]);
    },
  );

  it('I-10 N6 counts a small message as 1 KiB, drops the oldest beyond the bound, and says so of their job', () => {
    const kept = earlyMessages(decode, { maxBytes: 1_000 * 1024 });
    kept.begin();
    for (let n = 0; n < 1_000; n += 1) kept.keep(String(n));
    expect(kept.dropped('p')).toBeUndefined();
    for (let n = 1_000; n < 1_200; n += 1) kept.keep(String(n));
    expect(kept.of('p')).toHaveLength(1_000);
    expect(typesOf(kept.of('p'))[0]).toBe('200');
    expect(typesOf(kept.of('p')).at(-1)).toBe('1199');
    expect(kept.dropped('p')).toMatch(
      /^200 messages about this job .* 1024000 bytes, the bound of keptFrames\.earlyBytes/u,
    );
    expect(kept.dropped('q')).toBeUndefined();
  });

  it('N6 says of no job that it lost what belongs to none, and forgets with the last expectation', () => {
    const kept = earlyMessages((data) => (typeof data === 'string' ? event('p', data) : picture), {
      maxBytes: 2048,
    });
    const end = kept.begin();
    for (let n = 0; n < 3; n += 1) kept.keep(new ArrayBuffer(1024));
    expect(kept.dropped('p')).toBeUndefined();
    for (let n = 0; n < 3; n += 1) kept.keep('text');
    expect(kept.dropped('p')).toMatch(/^1 message about/u);
    end();
    kept.begin();
    expect(kept.dropped('p')).toBeUndefined();
  });

  it('holds 32 MiB at most', () => {
    const kept = earlyMessages(decode);
    kept.begin();
    for (let n = 0; n < 5; n += 1) kept.keep(new ArrayBuffer(8 * 1024 * 1024));
    expect(kept.of('p')).toHaveLength(4);
  });

  it('I-10: counts text by the two bytes that each of its units may take', () => {
    const kept = earlyMessages(decode);
    kept.begin();
    for (let n = 0; n < 5; n += 1) kept.keep(String(n).repeat(4 * 1024 * 1024));
    expect(typesOf(kept.of('p')).map((type) => type[0])).toEqual(['1', '2', '3', '4']);
  });

  it('begins anew with the next expectation, after the last one has ended', () => {
    const kept = earlyMessages(decode);
    const end = kept.begin();
    for (let n = 0; n < 4; n += 1) kept.keep(new ArrayBuffer(8 * 1024 * 1024));
    expect(kept.of('p')).toHaveLength(4);
    end();
    kept.begin();
    kept.keep('next');
    expect(typesOf(kept.of('p'))).toEqual(['next']);
  });

  it('decodes a message once, however many ask, and none before', () => {
    const decoded: SocketData[] = [];
    const kept = earlyMessages((data) => {
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
    const kept = earlyMessages((data) => messages[data as string]!);
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
    const kept = earlyMessages((data) => {
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
