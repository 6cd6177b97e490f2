import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHash } from 'node:crypto';
import type { DownloadOptions } from '../../src/core/files/download-state.js';
import { type FileService, fileService, outputNamed, pngBytes } from '../helpers/file-service.js';
import { join } from 'node:path';
import { lastValueFrom } from 'rxjs';
import { mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';

let dir = '';
beforeEach(async () => {
  dir = await realpath(await mkdtemp(join(tmpdir(), 'promptwire-resume-')));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const saved = async ({ save }: FileService, name = 'a.png', options: DownloadOptions = {}) =>
  (await lastValueFrom(save([outputNamed(name)], dir, options))).files[0]!;

const failure = (service: FileService, name = 'a.png', options: DownloadOptions = {}): Promise<unknown> =>
  saved(service, name, options).then(
    (file) => expect.fail(`saved ${file.path}`),
    (cause: unknown) => cause,
  );

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const onDisk = async (path: string): Promise<string> => sha256(await readFile(path));

const file = pngBytes(200_000);
const etag = '"one"';
const offsets = [0, 1, 8, 63, 64, 65, 4096, 65_536, 131_071, 199_999];

describe('a download that breaks off', () => {
  it.each(['before it started', 'never'])('G6 asks for a new address where one expired %s', async (when) => {
    for (const expired of [
      { status: 403 },
      { status: 400, body: '<Error><Code>ExpiredToken</Code></Error>' },
    ]) {
      await using service = await fileService((nth) =>
        when !== 'never' && nth <= 3 ? expired : { bytes: file, etag },
      );
      const { path, verified } = await saved(service);
      expect([await onDisk(path), verified]).toEqual([sha256(file), true]);
      expect(service.views()).toBe(when === 'never' ? 1 : 4);
      await rm(path);
    }
  });

  it('G6 gives up after three new addresses, and leaves nothing', async () => {
    await using service = await fileService(() => ({ status: 403 }));
    expect(await failure(service)).toMatchObject({ _tag: 'DownloadFailed', status: 403 });
    expect(service.views()).toBe(4);
    expect(await readdir(dir)).toEqual([]);
  });

  it.each(offsets)('G7 goes on from byte %d by a new address, and the bytes are equal', async (cutAt) => {
    await using service = await fileService((nth) =>
      nth === 1 ? { bytes: file, etag, cutAt } : { bytes: file, etag },
    );
    const { path, bytes, verified } = await saved(service);
    expect([await onDisk(path), bytes, verified]).toEqual([sha256(file), file.length, true]);
    expect(service.views()).toBe(2);
    const { headers, url } = service.asked[1]!;
    expect(url).toContain('/signed/2');
    expect(headers['range']).toBe(cutAt === 0 ? undefined : `bytes=${cutAt}-`);
    expect(headers['if-range']).toBe(cutAt === 0 ? undefined : etag);
    expect(await readdir(dir)).toEqual(['a.png']);
  });

  it.each(offsets.slice(1))('G7 goes on from byte %d where the address expired meanwhile', async (cutAt) => {
    await using service = await fileService((nth) => {
      if (nth === 2) return { status: 403 };
      return nth === 1 ? { bytes: file, etag, cutAt } : { bytes: file, etag };
    });
    expect(await onDisk((await saved(service)).path)).toBe(sha256(file));
    expect(service.asked.map(({ headers }) => headers['range'])).toEqual([
      undefined,
      `bytes=${cutAt}-`,
      `bytes=${cutAt}-`,
    ]);
  });

  it('G7 goes on as often as it is cut, three times', async () => {
    await using service = await fileService((nth) =>
      nth < 4 ? { bytes: file, etag, cutAt: nth * 50_000 } : { bytes: file, etag },
    );
    expect(await onDisk((await saved(service)).path)).toBe(sha256(file));
    expect(service.asked.map(({ headers }) => headers['range'])).toEqual([
      undefined,
      'bytes=50000-',
      'bytes=100000-',
      'bytes=150000-',
    ]);
  });

  it.each(offsets)('G7 begins anew where the object changed after byte %d', async (cutAt) => {
    const other = pngBytes(150_000, 2);
    await using service = await fileService((nth) =>
      nth === 1 ? { bytes: file, etag, cutAt } : { bytes: other, etag: '"two"' },
    );
    const { path, bytes } = await saved(service);
    expect([await onDisk(path), bytes]).toEqual([sha256(other), other.length]);
    expect(await readdir(dir)).toEqual(['a.png']);
  });

  it.each([
    ['no name for its bytes', {}],
    ['a weak one', { etag: 'W/"one"' }],
  ])('G7 begins anew where the storage gives %s', async (_, named) => {
    await using service = await fileService((nth) =>
      nth === 1 ? { bytes: file, ...named, cutAt: 100_000 } : { bytes: file, ...named },
    );
    expect(await onDisk((await saved(service)).path)).toBe(sha256(file));
    expect(service.asked[1]?.headers).not.toHaveProperty('range');
  });

  it.each([
    ['another part', { 'content-range': 'bytes 5-9/200000' }],
    ['a part of unknown bounds', { 'content-range': 'bytes 100000-199999/*' }],
    ['a part of other bytes', { etag: '"two"' }],
  ])('G7 never splices %s', async (_, headers) => {
    // As long as the file, so that nothing but what the answer says of itself tells them apart.
    const other = pngBytes(file.length, 2);
    await using service = await fileService((nth) => {
      if (nth === 1) return { bytes: file, etag, cutAt: 100_000 };
      return nth === 2 ? { bytes: other, etag, headers } : { bytes: file, etag };
    });
    expect(await onDisk((await saved(service)).path)).toBe(sha256(file));
    expect(service.views()).toBe(3);
  });

  it('G7 H9 asks for the rest by requests that carry nothing but the range', async () => {
    await using service = await fileService((nth) =>
      nth === 1 ? { bytes: file, etag, cutAt: 100_000 } : { bytes: file, etag },
    );
    await saved(service);
    const names = service.asked.map(({ headers }) => Object.keys(headers).sort());
    const bare = ['accept', 'accept-encoding', 'connection', 'host'];
    expect(names).toEqual([bare, [...bare, 'if-range', 'range']]);
  });

  it('G8 takes no rest that makes another size of the same bytes than was told before', async () => {
    await using service = await fileService((nth) => {
      if (nth === 1) return { bytes: file, etag, cutAt: 100_000 };
      return nth === 2 ? { bytes: file.subarray(0, 150_000), etag } : { bytes: file, etag };
    });
    const { path, verified } = await saved(service);
    expect([await onDisk(path), verified, service.views()]).toEqual([sha256(file), true, 3]);
  });

  it('G8 leaves nothing under the final name where every answer is short', async () => {
    await using service = await fileService(() => ({ bytes: file, cutAt: 1000 }));
    expect(await failure(service)).toMatchObject({ _tag: 'DownloadFailed' });
    expect(service.views()).toBe(4);
    expect(await readdir(dir)).toEqual([]);
  });

  it('G8 G9 tries again where a body of untold length is cut', async () => {
    await using service = await fileService((nth) =>
      nth === 1 ? { bytes: file, length: 'chunked', cutAt: 1000 } : { bytes: file, length: 'chunked' },
    );
    const { path, verified } = await saved(service);
    expect([await onDisk(path), verified, service.views()]).toEqual([sha256(file), false, 2]);
  });

  it.each(['chunked', 'until close'] as const)(
    'G9 never calls a body verified whose length is %s',
    async (length) => {
      await using service = await fileService(() => ({ bytes: file.subarray(0, 70_000), length }));
      expect(await saved(service)).toMatchObject({ verified: false, bytes: 70_000 });
    },
  );

  it.each([
    [
      'a.png',
      '<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>',
      'markup (XML) instead of image/png',
    ],
    ['a.mp4', '<!DOCTYPE html><html>', 'an HTML page instead of video/mp4'],
    ['a.wav', '{"error":"gone"}', 'JSON instead of audio/wav'],
    ['a.jpg', 'Access denied', 'text instead of image/jpeg'],
    ['a.webp', '\u0000\u0001\u0002\u0003', 'does not begin like image/webp'],
    ['a.gif', '', 'empty'],
  ])('G10 does not save as %s what is something else', async (name, body, reason) => {
    await using service = await fileService(() => ({ status: 200, body }));
    const error = await failure(service, name);
    expect(error).toMatchObject({ _tag: 'DownloadFailed', filename: name });
    expect((error as { readonly reason: string }).reason).toContain(reason);
    expect(await readdir(dir)).toEqual([]);
  });

  it('G10 saves text as text, and tells the medium by the bytes', async () => {
    await using service = await fileService((_, { url }) =>
      url.includes('/1?') ? { status: 200, body: '<svg/>' } : { bytes: file },
    );
    expect(await saved(service, 'a.svg')).toMatchObject({ mediaType: 'image/svg+xml', bytes: 6 });
    expect(await saved(service, 'b.jpg')).toMatchObject({ mediaType: 'image/png' });
  });

  it('G12 refuses a body above maxBytes, told or endless', async () => {
    for (const length of ['announced', 'until close'] as const) {
      await using service = await fileService(() => ({ bytes: file, length }));
      expect(await failure(service, 'a.png', { maxBytes: 70_000 })).toMatchObject({
        _tag: 'DownloadFailed',
        retry: 'never',
      });
      expect(service.views()).toBe(1);
      expect(await readdir(dir)).toEqual([]);
    }
  });

  it.each(['gzip', 'gzip, gzip', 'br', 'deflate'])(
    'G13 asks for no encoding and refuses %s',
    async (encoding) => {
      await using service = await fileService(() => ({
        bytes: file,
        headers: { 'content-encoding': encoding },
      }));
      expect(await failure(service)).toMatchObject({ _tag: 'DownloadFailed' });
      expect(service.asked[0]?.headers['accept-encoding']).toBe('identity');
      expect(await readdir(dir)).toEqual([]);
    },
  );
});
