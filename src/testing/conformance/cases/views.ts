import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { expectStatus, fetchWhole } from '../api.js';
import type { ConformanceCase } from '../conformance-case.js';
import { savedPicture, signedUrl } from '../files.js';
import { assertWholePicture } from '../pictures.js';
import type { Target } from '../target.js';

const rows = ['endpoint:GET /api/view'];

/** Chapter 2.7: one file. */
export const viewCases: readonly ConformanceCase[] = [
  {
    id: '2.7.1',
    rows,
    title: 'answers 302 with an absolute URL',
    run: async (target) => {
      const url = new URL(await pictureUrl(target));
      assert.match(url.protocol, /^https?:$/);
    },
  },
  {
    id: '2.7.2',
    rows,
    title: 'the signed URL answers the bytes without a key',
    run: async (target) => {
      const answer = await fetchWhole(await pictureUrl(target), {});
      assert.equal(answer.status, 200);
      assertWholePicture(answer.bytes, 'image/png', 'the file');
    },
  },
  {
    id: '2.7.3',
    rows,
    title: 'storage refuses an API header or does not look at it',
    run: async (target) => {
      const url = await pictureUrl(target);
      const answer = await fetchWhole(url, { headers: { 'X-API-Key': 'not-for-you' } });
      assert.ok(answer.status === 400 || answer.status === 200, `storage answers ${answer.status}`);
      assert.equal((await fetchWhole(url, {})).status, 200, 'without the header it answers');
    },
  },
  {
    id: '2.7.4',
    rows,
    title: 'the signed URL tells its life',
    run: async (target) => {
      const { searchParams } = new URL(await pictureUrl(target));
      assert.match(searchParams.get('X-Goog-Date') ?? '', /^\d{8}T\d{6}Z$/);
      assert.match(searchParams.get('X-Goog-Expires') ?? '', /^\d+$/);
    },
  },
  {
    id: '2.7.5',
    rows,
    needs: ['shortLinks'],
    title: 'an old signed URL is refused',
    run: async (target) => {
      await using other = await target.shortLinks?.();
      assert.ok(other !== undefined);
      const { status } = await fetchWhole(await pictureUrl(other), {});
      assert.ok(status === 400 || status === 403, `storage answers ${status}`);
    },
  },
  {
    id: '2.7.6',
    rows,
    title: 'the signed URL takes Range',
    run: async (target) => {
      const url = await pictureUrl(target);
      const whole = (await fetchWhole(url, {})).bytes;
      const part = await fetchWhole(url, { headers: { Range: 'bytes=4-11' } });
      assert.equal(part.status, 206);
      assert.equal(part.headers.get('content-range'), `bytes 4-11/${whole.length}`);
      assert.deepEqual(part.bytes, whole.subarray(4, 12));
      const beyond = await fetchWhole(url, { headers: { Range: `bytes=${whole.length}-` } });
      assert.equal(beyond.status, 416);
    },
  },
  {
    id: '2.7.7',
    rows,
    title: 'the signed URL answers the content type',
    run: async (target) => {
      const answer = await fetchWhole(await pictureUrl(target), {});
      assert.equal(answer.headers.get('content-type'), 'image/png');
    },
  },
  {
    id: '2.7.8',
    rows,
    title: 'channel and res are answered with a picture',
    run: async (target) => {
      const file = await savedPicture(target);
      for (const [query, mediaType] of [
        [{ channel: 'rgb' }, 'image/png'],
        [{ channel: 'a' }, 'image/png'],
        [{ res: '64' }, 'image/jpeg'],
      ] as const) {
        const answer = await expectStatus(200, target, 'GET', '/api/view', { query: { ...file, ...query } });
        assert.equal(answer.headers.get('content-type'), mediaType);
        assertWholePicture(answer.bytes, mediaType, JSON.stringify(query));
      }
    },
  },
  {
    id: '2.7.9',
    title: 'a file that is not there is answered 404',
    run: async (target) => {
      const query = { filename: `${randomUUID()}.png`, subfolder: '', type: 'output' };
      await expectStatus(404, target, 'GET', '/api/view', { query });
    },
  },
  {
    id: '2.7.10',
    rows,
    title: 'a request without filename is answered 400',
    run: async (target) => {
      await expectStatus(400, target, 'GET', '/api/view');
    },
  },
];

const pictureUrl = async (target: Target): Promise<string> => signedUrl(target, await savedPicture(target));
