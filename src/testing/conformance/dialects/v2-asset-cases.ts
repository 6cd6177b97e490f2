import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import type { Answer } from '../answer.js';
import type { ConformanceCase } from '../conformance-case.js';
import { expectAsset } from './v2-documents.js';
import { expectError, unknownId, v2 } from './v2-api.js';
import { filledText, object } from '../shape.js';
import { loading } from './v2-refusal-cases.js';
import { NotAllowed } from '../wire.js';
import { ran } from './v2-run.js';
import type { Target } from '../target.js';

/** Section 12.8: assets, of which each case deletes what it made. */
export const v2AssetCases: readonly ConformanceCase[] = [
  {
    id: 'V.8.1',
    title: 'an upload: 201 with an Asset, or 200 for known bytes',
    run: (target) =>
      withAsset(target, (answer) => {
        assert.equal(expectAsset(answer.json())['size_bytes'], picture.length);
        return Promise.resolve();
      }),
  },
  {
    id: 'V.8.2',
    title: 'the hash is null, or the BLAKE3-256 of the bytes',
    run: (target) =>
      withAsset(target, (answer) => {
        const { hash } = expectAsset(answer.json());
        assert.ok(hash === null || hash === pictureHash, String(hash));
        return Promise.resolve();
      }),
  },
  {
    id: 'V.8.3',
    title: 'HEAD and from-hash know the bytes of an upload, and no others',
    run: (target) =>
      withAsset(target, async (answer) => {
        if (expectAsset(answer.json())['hash'] === null)
          throw new NotAllowed('the server fills in hashes later');
        const unknown = `blake3:${randomBytes(32).toString('hex')}`;
        assert.equal((await v2(target, 'HEAD', `/assets/by-hash/${pictureHash}`)).status, 200);
        assert.equal((await v2(target, 'HEAD', `/assets/by-hash/${unknown}`)).status, 404);
        const minted = await fromHash(target, pictureHash);
        assert.ok(minted.status === 200 || minted.status === 201, `it answers ${minted.status}`);
        await remove(target, expectAsset(minted.json())['id']);
        expectError(await fromHash(target, unknown), 404, 'blob_not_found');
      }),
  },
  {
    id: 'V.8.4',
    title: 'a wrong expected_hash: 409 hash_mismatch',
    run: async (target) => {
      const answer = await upload(target, { expected_hash: `blake3:${'ab'.repeat(32)}` });
      expectError(answer, 409, 'hash_mismatch');
    },
  },
  {
    id: 'V.8.5',
    title: 'metadata behind the file: 422',
    run: async (target) => {
      const form = new FormData();
      form.append('file', new Blob([picture]), 'conformance.png');
      form.append('content_type', 'image/png');
      form.append('file_path', 'conformance.png');
      assert.equal((await v2(target, 'POST', '/assets', { body: form })).status, 422);
    },
  },
  {
    id: 'V.8.6',
    title: 'an asset can be read, and an unknown one is 404',
    run: async (target) => {
      assert.equal((await v2(target, 'GET', `/assets/${unknownId}`)).status, 404);
      await withAsset(target, async (answer) => {
        const { id } = expectAsset(answer.json());
        const read = await v2(target, 'GET', `/assets/${String(id)}`);
        assert.equal(read.status, 200);
        assert.equal(expectAsset(read.json())['id'], id);
      });
    },
  },
  {
    id: 'V.8.7',
    title: 'DELETE: 204, and 404 the second time',
    run: async (target) => {
      const { id } = expectAsset((await upload(target)).json());
      assert.equal((await remove(target, id)).status, 204);
      expectError(await remove(target, id), 404, 'not_found', 'asset_not_found');
    },
  },
  {
    id: 'V.8.9',
    title: 'an upload takes a key, once',
    run: async (target) => {
      const headers = { 'Idempotency-Key': randomUUID() };
      const first = await upload(target, {}, headers);
      const again = await upload(target, {}, headers);
      await remove(target, expectAsset(first.json())['id']);
      expectError(again, 422, 'idempotency_key_reuse');
    },
  },
  {
    id: 'V.8.8',
    title: 'a reference to an asset runs, by its id alone',
    run: (target) =>
      withAsset(target, async (answer) => {
        const { id } = expectAsset(answer.json());
        assert.equal((await ran(target, loading({ id }))).job['status'], 'succeeded');
      }),
  },
  {
    id: 'V.5.6',
    title: 'a failed job has an error, which names the node',
    run: (target) =>
      withAsset(
        target,
        async (answer) => {
          const { id } = expectAsset(answer.json());
          const { job } = await ran(target, loading({ id }));
          assert.equal(job['status'], 'failed');
          const error = object(job['error'], 'error');
          assert.equal(error['node_id'], 'load');
          for (const name of ['code', 'message', 'class_type', 'traceback']) filledText(error[name], name);
        },
        Buffer.from('no picture'),
      ),
  },
];

/** A PNG of one pixel, and its hash. */
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);
const pictureHash = 'blake3:460c4d8bad9fad8b54b6d7f725ecd9bb3671bfc4f8317717369de5a4a8c3059e';

const upload = (
  target: Target,
  more: Readonly<Record<string, string>> = {},
  headers: Readonly<Record<string, string>> = {},
  bytes = picture,
): Promise<Answer> => {
  const form = new FormData();
  const fields = { content_type: 'image/png', file_path: 'conformance.png', ...more };
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('file', new Blob([bytes], { type: 'image/png' }), 'conformance.png');
  return v2(target, 'POST', '/assets', { body: form, headers });
};

const fromHash = (target: Target, hash: string): Promise<Answer> =>
  v2(target, 'POST', '/assets/from-hash', { body: { hash, file_path: 'conformance.png' } });

const remove = (target: Target, id: unknown): Promise<Answer> =>
  v2(target, 'DELETE', `/assets/${String(id)}`);

/** Uploads the picture, looks, and deletes what was made, also where the look fails. */
const withAsset = async (
  target: Target,
  look: (answer: Answer) => Promise<void>,
  bytes = picture,
): Promise<void> => {
  const answer = await upload(target, {}, {}, bytes);
  assert.ok(answer.status === 201 || answer.status === 200, `an upload is answered ${answer.status}`);
  try {
    await look(answer);
  } finally {
    await remove(target, object(answer.json(), 'the asset')['id']);
  }
};
