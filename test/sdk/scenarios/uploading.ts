import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { ComfyError, MissingAsset, NotFound } from '@comfyorg/sdk';
import { HashMismatch } from '@comfyorg/sdk/low';
import { ask, rejection, sdkOf } from '../players.js';
import { picture } from '../pictures.js';
import { NotPossible, type Scenario } from '../scenario.js';

/** Assets, 35 to 42. */
export const uploading: readonly Scenario[] = [
  {
    number: 35,
    title:
      'unknown bytes: HEAD 404 without a body, POST with the file last, 201 with the BLAKE3 of the client',
    by: 'sdk',
    play: async (target) => {
      const { comfy, calls } = sdkOf(target);
      const asset = comfy.assets.fromBytes(picture(), { filename: 'cat.png' });
      const own = await asset.hash();
      await asset.commit();
      assert.deepEqual(
        calls.map(({ method, path, status }) => [method, decodeURIComponent(path), status]),
        [
          ['HEAD', `/assets/by-hash/${own}`, 404],
          ['POST', '/assets', 201],
        ],
      );
      assert.ok(['0', null].includes(calls[0]!.answered!.get('content-length')), 'HEAD has no body');
      assert.equal(await asset.hash(), own);
      assert.equal(asset.createdNew, true);
      const { hash } = (await ask(target, 'GET', `/assets/${asset.id!}`)).json();
      assert.ok(hash === null || hash === own, `the hash is the client's: ${String(hash)}`);
    },
  },
  {
    number: 36,
    title: 'the same bytes again: HEAD 200, from-hash, no second upload',
    by: 'sdk',
    play: async (target) => {
      const { comfy, callsOf } = sdkOf(target);
      const bytes = picture();
      await comfy.assets.fromBytes(bytes, { filename: 'one.png' }).commit();
      const again = comfy.assets.fromBytes(bytes, { filename: 'other.png' });
      await again.commit();
      assert.equal(callsOf('POST /assets').length, 1);
      assert.equal(callsOf('HEAD /assets/{id}').length, 0);
      const graph = comfy.workflows.fromJson(target.graphs.loading(again));
      assert.equal((await comfy.run(graph)).status, 'succeeded');
      const unknown = await ask(target, 'POST', '/assets/from-hash', {
        body: { hash: `blake3:${'0'.repeat(64)}` },
      });
      assert.deepEqual([unknown.status, unknown.code()], [404, 'blob_not_found']);
    },
  },
  {
    number: 37,
    title: 'a wrong expected_hash: 409 HashMismatch, and nothing is stored',
    by: 'sdk',
    play: async (target) => {
      const { comfy, low } = sdkOf(target);
      const bytes = picture();
      const wrong = `blake3:${'ab'.repeat(32)}`;
      const upload = () => low.postAssets(new Blob([bytes]), 'image/png', 'cat.png', { expectedHash: wrong });
      const error = await rejection(HashMismatch, upload);
      assert.deepEqual([error.httpStatus, error.code], [409, 'hash_mismatch']);
      assert.equal(await low.headAssetByHash(wrong), false);
      assert.equal(await low.headAssetByHash(await comfy.assets.fromBytes(bytes).hash()), false);
    },
  },
  {
    number: 38,
    title:
      'core/ASSET from an upload, from assets.get and from an output runs; an unknown id is a MissingAsset',
    by: 'sdk',
    play: async (target) => {
      const { comfy } = sdkOf(target);
      const uploaded = comfy.assets.fromBytes(picture(), { filename: 'cat.png' });
      const first = await comfy.run(comfy.workflows.fromJson(target.graphs.loading(uploaded)));
      const found = await comfy.assets.get(uploaded.id!);
      const made = await comfy.assets.get(first.outputs[0]!.id);
      for (const image of [found, made, { __type: 'core/ASSET', info: { id: made.id } }]) {
        const job = await comfy.run(comfy.workflows.fromJson(target.graphs.loading(image)));
        assert.equal(job.status, 'succeeded');
      }
      for (const info of [{ id: randomUUID() }, {}, null]) {
        const missing = comfy.workflows.fromJson(target.graphs.loading({ __type: 'core/ASSET', info }));
        await rejection(MissingAsset, () => comfy.submit(missing));
      }
    },
  },
  {
    number: 39,
    title: 'too large: 413 with an envelope, without a reset',
    by: 'sdk',
    play: async (target) => {
      await using own = await target.fresh({ maxUploadBytes: 10_000 });
      const { comfy } = sdkOf(own);
      const large = comfy.assets.fromBytes(randomBytes(2_000_000), { filename: 'large.bin' });
      const error = await rejection(ComfyError, () => large.commit());
      assert.deepEqual([error.httpStatus, error.code], [413, 'payload_too_large']);
      await comfy.assets.fromBytes(randomBytes(1_000), { filename: 'small.bin' }).commit();
    },
  },
  {
    number: 40,
    title: 'names with accents, quotes and ways out of the folder: a safe file, and bare names in answers',
    by: 'sdk and fetch',
    play: async (target) => {
      const { comfy } = sdkOf(target);
      for (const filename of ['Grüße 猫.png', "it\"s 'quoted'.png", 'a b;c.png']) {
        const asset = comfy.assets.fromBytes(picture(), { filename });
        const job = await comfy.run(comfy.workflows.fromJson(target.graphs.loading(asset)));
        for (const { name } of job.outputs) assert.match(name, /^[^/\\]+$/u);
      }
      for (const filename of ['../x.png', '..\\x.png', '/etc/x.png', '..']) {
        const asset = comfy.assets.fromBytes(picture(), { filename });
        const answer = await asset.commit().then(
          () => 'taken',
          (error: unknown) => error,
        );
        if (answer === 'taken') {
          const { file_path: path = null } = (await ask(target, 'GET', `/assets/${asset.id!}`)).json();
          const text = JSON.stringify(path);
          assert.ok(!/(^"|[/\\])\.\.([/\\]|"$)|^"\//u.test(text), text);
        } else
          assert.ok(
            answer instanceof ComfyError && /^4(00|22)$/u.test(String(answer.httpStatus)),
            String(answer),
          );
      }
    },
  },
  {
    number: 41,
    title: 'delete: 204; again: 404; in use: 409 asset_in_use',
    by: 'sdk',
    play: async (target) => {
      await using own = await target.fresh({ jobsAtOnce: 1 });
      const { comfy } = sdkOf(own);
      const asset = comfy.assets.fromBytes(picture(), { filename: 'cat.png' });
      const id = await asset.commit();
      await comfy.assets.delete(id);
      const gone = await rejection(NotFound, () => comfy.assets.delete(id));
      assert.ok(['asset_not_found', 'not_found'].includes(String(gone.code)), String(gone.code));
      const used = comfy.assets.fromBytes(picture(), { filename: 'cat.png' });
      const first = await comfy.submit(comfy.workflows.fromJson(own.graphs.lasting(60_000)));
      const waiting = await comfy.submit(comfy.workflows.fromJson(own.graphs.loading(used)));
      const error = await rejection(ComfyError, () => used.delete());
      assert.deepEqual([error.httpStatus, error.code], [409, 'asset_in_use']);
      await waiting.cancel();
      await first.cancel();
    },
  },
  {
    number: 42,
    title: '95 MB within 30 seconds, while other requests are answered',
    by: 'sdk',
    long: async (target) => {
      const { largestUploadBytes: limit = Infinity } = target;
      if (limit < 95_000_000) throw new NotPossible(`it takes no more than ${limit} bytes`);
      const { comfy, callsOf } = sdkOf(target);
      const job = await comfy.submit(comfy.workflows.fromJson(target.graphs.lasting(60_000)));
      let isDone = false;
      const asset = comfy.assets.fromBytes(randomBytes(95_000_000), { filename: 'large.bin' });
      // The SDK hashes in one go, and would hold up the polls of this process.
      await asset.hash();
      const upload = asset.commit().then(
        () => (isDone = true),
        (error: unknown) => {
          isDone = true;
          return error;
        },
      );
      let polls = 0;
      let longest = 0;
      while (!isDone) {
        const before = performance.now();
        await job.refresh();
        longest = Math.max(longest, performance.now() - before);
        polls += 1;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      assert.equal(await upload, true);
      await job.cancel();
      assert.equal(callsOf('POST /assets').at(-1)?.status, 201);
      assert.ok(polls > 5, `${polls} polls went on`);
      assert.ok(longest < 5_000, `none took long: ${Math.round(longest)} ms`);
    },
  },
];
