import assert from 'node:assert/strict';
import type { Answer } from '../answer.js';
import type { ConformanceCase } from '../conformance-case.js';
import { fetchWhole } from '../api.js';
import { filledText } from '../shape.js';
import { NotAllowed } from '../wire.js';
import { outputsOf } from './v2-run.js';
import type { Target } from '../target.js';
import { v2 } from './v2-api.js';

/** Section 12.9: the content of an output. */
export const v2ContentCases: readonly ConformanceCase[] = [
  {
    id: 'V.9.1',
    title: 'content: 200 with the bytes, or 302 with an absolute address',
    run: async (target) => {
      const answer = await contentOf(target);
      if (answer.status === 302)
        assert.ok(URL.canParse(filledText(answer.headers.get('location'), 'Location')));
      else assert.equal(answer.status, 200);
    },
  },
  {
    id: 'V.9.2',
    title: 'a range within the file: 206 with Content-Range',
    run: async (target) => {
      const [whole, part] = [await followed(target), await followed(target, 'bytes=5-9')];
      assert.equal(part.status, 206);
      assert.equal(part.headers.get('content-range'), `bytes 5-9/${whole.bytes.length}`);
      assert.deepEqual(part.bytes, whole.bytes.subarray(5, 10));
    },
  },
  {
    id: 'V.9.3',
    title: 'a range behind the end: 416',
    run: async (target) => {
      assert.equal((await followed(target, 'bytes=99999999-')).status, 416);
    },
  },
  {
    id: 'V.9.4',
    title: 'the address of a redirect works without the key',
    run: async (target) => {
      const { status } = await contentOf(target);
      if (status !== 302) throw new NotAllowed('the server redirects nowhere');
      assert.equal((await followed(target)).status, 200);
    },
  },
  {
    id: 'V.9.5',
    title: 'the content has size_bytes bytes',
    run: async (target) => {
      const [output] = await outputsOf(target);
      const size = output?.['size_bytes'];
      assert.ok(size === 0 || size === (await followed(target)).bytes.length, String(size));
    },
  },
  {
    id: 'V.9.6',
    title: 'the name of an output is a bare file name',
    run: async (target) => {
      for (const { name } of await outputsOf(target)) assert.match(String(name), /^[^/\\]+$/u);
    },
  },
];

const contentOf = async (target: Target, headers: Readonly<Record<string, string>> = {}): Promise<Answer> => {
  const [output] = await outputsOf(target);
  return v2(target, 'GET', `/assets/${String(output?.['id'])}/content`, { headers });
};

/** The content, by way of its redirect where there is one: the key does not go there. */
const followed = async (target: Target, range?: string): Promise<Answer> => {
  const headers: Record<string, string> = range === undefined ? {} : { Range: range };
  const answer = await contentOf(target, headers);
  const location = answer.headers.get('location');
  return location === null ? answer : fetchWhole(location, { headers });
};
