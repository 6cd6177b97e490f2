import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { blake3 } from 'hash-wasm';
import { PNG } from 'pngjs';
import { picture } from '../../sdk/pictures.js';
import { ask, type AskOptions, type Raw } from '../../sdk/players.js';
import type { SdkTarget } from '../../sdk/target.js';
import { expectAsset } from './documents.js';
import { endOf, expectError, outputsOf, pictureRun, submit, unknownId } from './runs.js';
import type { V2Case } from './v2-case.js';

/** 12.8 and 12.9: assets and their content. */
export const assetCases: readonly V2Case[] = [
  {
    id: 'V.8.1',
    title: 'an upload: 201 with an Asset, or 200 for known bytes',
    run: async (target) => {
      const bytes = picture();
      for (const expected of [[201], [200, 201]]) {
        const answer = await upload(target, bytes);
        assert.ok(expected.includes(answer.status), answer.text);
        const asset = expectAsset(answer.json());
        assert.equal(asset['size_bytes'], bytes.length);
      }
    },
  },
  {
    id: 'V.8.2',
    title: 'the hash is null, or the BLAKE3-256 of the bytes',
    run: async (target) => {
      const bytes = picture();
      const { hash } = (await upload(target, bytes)).json();
      assert.ok(hash === null || hash === (await hashOf(bytes)), String(hash));
    },
  },
  {
    id: 'V.8.3',
    title: 'HEAD and from-hash know the bytes then, and no others',
    run: async (target) => {
      const bytes = picture();
      const hash = await hashOf(bytes);
      for (const isKnown of [false, true]) {
        if (isKnown) await upload(target, bytes);
        for (const spelled of [hash, encodeURIComponent(hash)])
          assert.equal((await ask(target, 'HEAD', `/assets/by-hash/${spelled}`)).status, isKnown ? 200 : 404);
        const minted = await ask(target, 'POST', '/assets/from-hash', {
          body: { hash, file_path: 'again.png' },
        });
        if (!isKnown) expectError(minted, 404, 'blob_not_found');
        else {
          assert.ok(minted.status === 200 || minted.status === 201);
          expectAsset(minted.json());
        }
      }
    },
  },
  {
    id: 'V.8.4',
    title: 'a wrong expected_hash: 409 hash_mismatch, and nothing is stored',
    run: async (target) => {
      const bytes = picture();
      const wrong = `blake3:${'ab'.repeat(32)}`;
      expectError(await upload(target, bytes, { expected_hash: wrong }), 409, 'hash_mismatch');
      for (const hash of [wrong, await hashOf(bytes)])
        assert.equal((await ask(target, 'HEAD', `/assets/by-hash/${hash}`)).status, 404);
    },
  },
  {
    id: 'V.8.5',
    title: 'metadata behind the file: 422',
    run: async (target) => {
      const form = new FormData();
      form.append('file', new Blob([picture()]), 'cat.png');
      form.append('content_type', 'image/png');
      form.append('file_path', 'cat.png');
      assert.equal((await ask(target, 'POST', '/assets', { body: form })).status, 422);
    },
  },
  {
    id: 'V.8.6',
    title: 'an asset can be read; an unknown one is 404',
    run: async (target) => {
      const { id } = (await upload(target, picture())).json();
      const answer = await ask(target, 'GET', `/assets/${String(id)}`);
      assert.equal(answer.status, 200);
      assert.equal(expectAsset(answer.json())['id'], id);
      expectError(await ask(target, 'GET', `/assets/${unknownId}`), 404, 'not_found', 'asset_not_found');
    },
  },
  {
    id: 'V.8.7',
    title: 'DELETE: 204, and 404 the second time',
    run: async (target) => {
      const { id } = (await upload(target, picture())).json();
      assert.equal((await ask(target, 'DELETE', `/assets/${String(id)}`)).status, 204);
      const again = await ask(target, 'DELETE', `/assets/${String(id)}`);
      expectError(again, 404, 'not_found', 'asset_not_found');
    },
  },
  {
    id: 'V.8.8',
    title: 'a reference to an upload or an output runs, by its id alone',
    run: async (target) => {
      const { id } = (await upload(target, picture())).json();
      const [output] = outputsOf((await pictureRun(target)).job);
      for (const info of [{ id }, { id: output!['id'] }]) {
        const answer = await submit(target, target.graphs.loading({ __type: 'core/ASSET', info }));
        const job = await endOf(target, String(answer.json()['id']));
        assert.equal(job['status'], 'succeeded');
      }
    },
  },
  {
    id: 'V.8.9',
    title: 'an upload takes a key, once',
    run: async (target) => {
      const headers = { 'idempotency-key': randomUUID() };
      assert.equal((await upload(target, picture(), {}, { headers })).status, 201);
      expectError(await upload(target, picture(), {}, { headers }), 422, 'idempotency_key_reuse');
    },
  },
  {
    id: 'V.9.1',
    title: 'content: 200 with the bytes, or 302 with an absolute address',
    run: (target) =>
      eachWay(target, async (server, path) => {
        const answer = await ask(server, 'GET', path);
        if (answer.status === 302) assert.ok(URL.canParse(answer.headers.get('location') ?? ''));
        else assert.equal(answer.status, 200);
        assert.ok(PNG.sync.read(await contentOf(server, path)).width > 0);
      }),
  },
  {
    id: 'V.9.2',
    title: 'a range: 206 with Content-Range',
    run: (target) =>
      eachWay(target, async (server, path) => {
        const whole = await contentOf(server, path);
        const part = await ranged(server, path, 'bytes=5-9');
        assert.equal(part.status, 206);
        assert.equal(part.headers.get('content-range'), `bytes 5-9/${whole.length}`);
        assert.deepEqual(Buffer.from(await part.arrayBuffer()), whole.subarray(5, 10));
      }),
  },
  {
    id: 'V.9.3',
    title: 'a range behind the end: 416',
    run: (target) =>
      eachWay(target, async (server, path) => {
        assert.equal((await ranged(server, path, 'bytes=99999999-')).status, 416);
      }),
  },
  {
    id: 'V.9.4',
    title: 'the address of a redirect works without the key',
    run: async (target) => {
      await using own = await target.fresh({ content: 'redirect' });
      const answer = await ask(own, 'GET', await pathOf(own));
      assert.equal(answer.status, 302);
      assert.equal((await fetch(answer.headers.get('location')!)).status, 200);
    },
  },
  {
    id: 'V.9.5',
    title: 'the content has size_bytes bytes',
    run: async (target) => {
      for (const { id, size_bytes: size } of outputsOf((await pictureRun(target)).job)) {
        const bytes = await contentOf(target, `/assets/${String(id)}/content`);
        assert.ok(size === 0 || size === bytes.length);
      }
    },
  },
  {
    id: 'V.9.6',
    title: 'the name of an output is a bare file name',
    run: async (target) => {
      for (const { name } of outputsOf((await pictureRun(target)).job))
        assert.match(String(name), /^[^/\\]+$/u);
    },
  },
];

const hashOf = async (bytes: Uint8Array): Promise<string> => `blake3:${await blake3(bytes)}`;

const upload = (
  target: SdkTarget,
  bytes: Uint8Array<ArrayBuffer>,
  more: Readonly<Record<string, string>> = {},
  options: AskOptions = {},
): Promise<Raw> => {
  const form = new FormData();
  const fields = { content_type: 'image/png', file_path: 'cat.png', ...more };
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('file', new Blob([bytes], { type: 'image/png' }), 'cat.png');
  return ask(target, 'POST', '/assets', { body: form, ...options });
};

/** MatchInput at a saved picture on a server that redirects and on one that does not. */
const eachWay = async (
  target: SdkTarget,
  look: (server: SdkTarget, path: string) => Promise<void>,
): Promise<void> => {
  for (const content of ['inline', 'redirect'] as const) {
    await using server = await target.fresh({ content });
    await look(server, await pathOf(server));
  }
};

const pathOf = async (target: SdkTarget): Promise<string> => {
  const outputs = outputsOf((await pictureRun(target)).job);
  const output = outputs.find((one) => one['content_type'] === 'image/png');
  return `/assets/${String(output?.['id'])}/content`;
};

/** Follows a redirect as a client has to: without the key. */
const ranged = async ({ baseUrl, apiKey }: SdkTarget, path: string, range?: string): Promise<Response> => {
  const headers: Record<string, string> = range === undefined ? {} : { range };
  const answer = await fetch(`${baseUrl}/api/v2${path}`, {
    redirect: 'manual',
    headers: { ...headers, ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }) },
  });
  const location = answer.headers.get('location');
  return location === null ? answer : fetch(location, { headers });
};

const contentOf = async (target: SdkTarget, path: string): Promise<Buffer> =>
  Buffer.from(await (await ranged(target, path)).arrayBuffer());
