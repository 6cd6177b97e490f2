import { describe, expect, it } from 'vitest';
import { contentResponse, resumeFor } from '../../../src/server/gateway/v2/content.js';
import { content } from '../../helpers/output-content.js';
import { readableContent } from '../../../src/core/http/view.js';

const requestWith = (headers: Readonly<Record<string, string>> = {}): Request =>
  new Request('http://gateway.test/', { headers });

const answer = (
  headers: Readonly<Record<string, string>>,
  more: {
    readonly size?: number;
    readonly etag?: string;
    readonly offset?: number;
    readonly mediaType?: string;
  },
  text = '0123456789',
) => {
  const { size, ...others } = more;
  return contentResponse(
    requestWith(headers),
    readableContent({ ...content([text.slice(0, 4), text.slice(4)], size), ...others }),
    { name: `it's (a) *cat*.png`, contentType: 'text/plain' },
  );
};

const shown = async (response: ReturnType<typeof answer>) => {
  if (!(response instanceof Response)) return response;
  const { status, headers } = response;
  return [status, await response.text(), headers.get('content-range'), headers.get('content-length')];
};

describe('the answer with the bytes of a file', () => {
  it('is the whole file, its size and ETag where they are known', async () => {
    const known = answer({}, { size: 10, etag: '"1"' }) as Response;
    expect(Object.fromEntries(known.headers)).toEqual({
      'content-type': 'image/png',
      'content-disposition': "inline; filename*=UTF-8''it%27s%20%28a%29%20%2acat%2a.png",
      'content-security-policy': "sandbox; default-src 'none'",
      'cache-control': 'private, no-cache',
      'accept-ranges': 'bytes',
      'content-length': '10',
      etag: '"1"',
    });
    expect(await shown(known)).toEqual([200, '0123456789', null, '10']);
    const unknown = answer({ range: 'bytes=2-4' }, {}) as Response;
    expect(await shown(unknown)).toEqual([200, '0123456789', null, null]);
    expect([unknown.headers.has('accept-ranges'), unknown.headers.has('etag')]).toEqual([false, false]);
  });

  it('has the type that the name tells where the service has none', () => {
    const type = (mediaType: string) => (answer({}, { mediaType }) as Response).headers.get('content-type');
    expect([type('application/octet-stream'), type('image/webp')]).toEqual(['text/plain', 'image/webp']);
  });

  it('is the range that was asked for, also of the rest of a file', async () => {
    expect(await shown(answer({ range: 'bytes=3-5' }, { size: 10 }))).toEqual([
      206,
      '345',
      'bytes 3-5/10',
      '3',
    ]);
    const rest = answer({ range: 'bytes=3-5' }, { size: 10, offset: 3 }, '3456789');
    expect(await shown(rest)).toEqual([206, '345', 'bytes 3-5/10', '3']);
    expect(answer({ range: 'bytes=10-' }, { size: 10 })).toEqual({ size: 10 });
  });

  it('is a range only of the file that the caller has', async () => {
    const stale = { range: 'bytes=3-5', 'if-range': '"2"' };
    expect(await shown(answer(stale, { size: 10, etag: '"1"' }))).toEqual([200, '0123456789', null, '10']);
    const same = { range: 'bytes=3-5', 'if-range': '"1"' };
    expect(await shown(answer(same, { size: 10, etag: '"1"' }))).toEqual([206, '345', 'bytes 3-5/10', '3']);
  });
});

describe('where the service begins a file', () => {
  it.each([
    [{ range: 'bytes=3-5' }, { size: 10, etag: '"1"' }, { offset: 3, etag: '"1"' }],
    [{ range: 'bytes=3-5' }, { etag: '"1"' }, { offset: 3, etag: '"1"' }],
    [
      { range: 'bytes=3-5', 'if-range': '"2"' },
      { size: 10, etag: '"1"' },
      { offset: 3, etag: '"2"' },
    ],
    [{ range: 'bytes=-3' }, { size: 10, etag: '"1"' }, { offset: 7, etag: '"1"' }],
    // Where the end is unknown, so is what is the last part.
    [{ range: 'bytes=-3' }, { etag: '"1"' }, undefined],
    [{ range: 'bytes=0-5' }, { size: 10, etag: '"1"' }, undefined],
    [{ range: 'bytes=10-' }, { size: 10, etag: '"1"' }, undefined],
    [{}, { size: 10, etag: '"1"' }, undefined],
    [{ range: 'bytes=3-5' }, { size: 10 }, undefined],
  ])('for %j of a file with %j is %j', (headers, known, resume) => {
    expect(resumeFor(requestWith(headers as Readonly<Record<string, string>>), known)).toEqual(resume);
  });
});
