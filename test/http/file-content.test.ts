import { CallScope } from '../../src/core/http/call-scope.js';
import { digits, fileContent, isStrongEtag, wholeExtent } from '../../src/core/http/file-content.js';
import { describe, expect, it } from 'vitest';
import { leftOf, rightOf } from '../helpers/http-connection.js';
import { virtualClock } from '../../src/testing/virtual-clock.js';

/** A file of three bytes, answered with these headers in a call that has 30 s for each step. */
const answered = (
  headers: Readonly<Record<string, string>>,
  extent: Parameters<typeof fileContent>[1] = { offset: 0 },
  named: { readonly filename?: string; readonly isDerived?: boolean } = {},
) => {
  const clock = virtualClock();
  const caller = new AbortController();
  const scope = new CallScope({ clock, timeoutMs: 60_000, patienceMs: 30_000, signal: caller.signal });
  scope.patient();
  let discarded = 0;
  const context = { endpoint: 'GET /api/view', timeoutMs: 60_000, redact: (text: string) => text };
  const body = (async function* () {
    await Promise.resolve();
    yield new Uint8Array(3);
  })();
  const content = fileContent({ status: 200, headers, body, discard: () => (discarded += 1) }, extent, {
    filename: 'a.png',
    clock,
    scope,
    context,
    silenceMs: 30_000,
    ...named,
  });
  /** Whether the call is over: the connection is free, and neither a timer nor the caller's signal is of interest. */
  const isOver = (): boolean => {
    caller.abort();
    return discarded === 1 && clock.pending() === 0 && scope.ending() === undefined;
  };
  return { clock, content, isOver };
};

describe('fileContent', () => {
  it.each(['gzip', 'identity, gzip', 'x-identity'])('G13: refuses a body encoded by %s', (encoding) => {
    const { content, isOver } = answered({ 'content-encoding': encoding });
    expect(leftOf(content)).toMatchObject({ _tag: 'DownloadFailed', filename: 'a.png', status: 200 });
    expect(isOver()).toBe(true);
  });

  it.each(['', 'identity', ' Identity '])('G13: takes a body encoded by %j', (encoding) => {
    expect(rightOf(answered({ 'content-encoding': encoding }).content).offset).toBe(0);
  });

  it('has what the extent says and no more', () => {
    const extent = { offset: 2, length: 3, size: 5, etag: '"a"' };
    expect(Object.keys(rightOf(answered({}).content)).sort()).toEqual([
      'body',
      'discard',
      'mediaType',
      'offset',
    ]);
    expect(rightOf(answered({}, extent).content)).toMatchObject({ offset: 2, size: 5, etag: '"a"' });
  });

  it.each([
    ['a.PNG', false, 'application/octet-stream', 'image/png'],
    ['a.svg', undefined, 'text/html', 'image/svg+xml'],
    ['a', false, 'text/html', 'application/octet-stream'],
    ['a.png', true, 'image/webp ; x=y', 'image/webp'],
    ['a.png', true, undefined, 'application/octet-stream'],
  ])(
    'O1: takes the media type of %s (derived: %s), sent as %s, for %s',
    (filename, isDerived, type, mediaType) => {
      const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type };
      const { content } = answered(headers, undefined, {
        filename,
        ...(isDerived !== undefined && { isDerived }),
      });
      expect(rightOf(content).mediaType).toBe(mediaType);
    },
  );

  it('stops the time of the call until the body is read, and ends the call with the body', async () => {
    const { clock, content, isOver } = answered({});
    expect(clock.pending()).toBe(0);
    await clock.advance(120_000);
    const chunks: number[] = [];
    for await (const { byteLength } of rightOf(content).body) chunks.push(byteLength);
    expect(chunks).toEqual([3]);
    expect(isOver()).toBe(true);
  });

  it('ends the call with `discard`', () => {
    const { content, isOver } = answered({});
    rightOf(content).discard();
    expect(isOver()).toBe(true);
  });
});

describe('wholeExtent', () => {
  it('has what the headers tell', () => {
    const headers = { 'content-length': '20', etag: '"a"' };
    expect(wholeExtent({ headers })).toStrictEqual({ offset: 0, length: 20, size: 20, etag: '"a"' });
  });

  it('G7: has no length and no name that the headers do not tell', () => {
    expect(wholeExtent({ headers: {} })).toStrictEqual({ offset: 0 });
    const headers = { 'content-length': 'x', etag: 'W/"a"' };
    expect(wholeExtent({ headers })).toStrictEqual({ offset: 0 });
  });
});

describe('isStrongEtag', () => {
  it.each([
    ['"a"', true],
    ['""', true],
    ['"!#~"', true],
    [`"${'x'.repeat(1022)}"`, true],
    [`"${'x'.repeat(1023)}"`, false],
    [undefined, false],
    ['a', false],
    ['x"a"', false],
    ['"a"x', false],
    ['W/"a"', false],
    ['"a b"', false],
    ['"a"b"', false],
    ['"\u007f"', false],
  ])('G7: of %j is %s', (etag, expected) => {
    expect(isStrongEtag(etag)).toBe(expected);
  });
});

describe('digits', () => {
  it.each([
    ['0', 0],
    ['20', 20],
    [String(Number.MAX_SAFE_INTEGER), Number.MAX_SAFE_INTEGER],
    [String(2 ** 53), undefined],
    [undefined, undefined],
    ['', undefined],
    ['-1', undefined],
    ['1e3', undefined],
    ['x1', undefined],
    ['0x10', undefined],
    ['1.5', undefined],
  ])('of %j are %s', (text, expected) => {
    expect(digits(text)).toBe(expected);
  });
});
