import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ComfyError } from '@comfyorg/sdk';
import { PNG } from 'pngjs';
import { ask, rejection, sdkOf } from '../players.js';
import type { Scenario } from '../scenario.js';

/** Downloads, 43 to 47. */
export const downloading: readonly Scenario[] = [
  {
    number: 43,
    title: 'toBytes and toFile give the bytes of the engine, with their length; a file of 0 bytes, too',
    by: 'sdk and fetch',
    play: async (target) => {
      const { comfy, callsOf } = sdkOf(target);
      const job = await comfy.run(comfy.workflows.fromJson(target.graphs.picture()));
      const folder = await mkdtemp(join(tmpdir(), 'promptwire-'));
      try {
        for (const output of job.outputs) {
          const bytes = Buffer.from(await output.toBytes());
          assert.equal(bytes.length, output.sizeBytes);
          if (output.contentType === 'image/png') assert.ok(PNG.sync.read(bytes).width > 0);
          const path = await output.toFile(join(folder, output.name));
          assert.deepEqual(await readFile(path), bytes);
        }
      } finally {
        await rm(folder, { recursive: true });
      }
      for (const { answered } of callsOf('GET /assets/{id}/content'))
        assert.match(answered?.get('content-length') ?? '', /^\d+$/u);
      const empty = comfy.assets.fromBytes(new Uint8Array(0), { filename: 'empty.txt' });
      const content = await ask(target, 'GET', `/assets/${await empty.commit()}/content`);
      const last = content.headers.get('location');
      const bytes = last === null ? content.bytes : Buffer.from(await (await fetch(last)).arrayBuffer());
      assert.equal(bytes.length, 0);
    },
  },
  {
    number: 44,
    title: 'a range: 206 with Content-Range; behind the end: 416 with an envelope',
    by: 'sdk and fetch',
    play: async (target) => {
      await using own = await target.fresh({ content: 'inline' });
      const { comfy } = sdkOf(own);
      const { outputs } = await comfy.run(comfy.workflows.fromJson(own.graphs.picture()));
      const [output] = outputs;
      const whole = await output!.toBytes();
      assert.deepEqual(await output!.toBytes({ range: [5, 9] }), whole.slice(5, 10));
      const path = `/assets/${output!.id}/content`;
      const part = await ask(own, 'GET', path, { headers: { range: 'bytes=5-9' } });
      assert.deepEqual([part.status, part.headers.get('content-range')], [206, `bytes 5-9/${whole.length}`]);
      const error = await rejection(ComfyError, () =>
        output!.toBytes({ range: [whole.length, whole.length + 9] }),
      );
      assert.equal(error.httpStatus, 416);
      const beyond = await ask(own, 'GET', path, { headers: { range: `bytes=${whole.length}-` } });
      assert.equal(beyond.status, 416);
      assert.notEqual(beyond.code(), '');
    },
  },
  {
    number: 45,
    title: '302 to another origin: an absolute Location that works without the key, with an expiry in it',
    by: 'sdk and fetch',
    play: async (target) => {
      await using own = await target.fresh({ content: 'redirect' });
      const { comfy } = sdkOf(own);
      const { outputs } = await comfy.run(comfy.workflows.fromJson(own.graphs.picture()));
      const [output] = outputs;
      const { url, expiresAt } = await output!.getDownloadUrl();
      assert.notEqual(new URL(url).origin, new URL(own.baseUrl).origin);
      assert.ok(expiresAt instanceof Date && expiresAt.getTime() > 0, 'the SDK reads the expiry');
      const signed = await fetch(url);
      assert.equal(signed.status, 200);
      const bytes = new Uint8Array(await signed.arrayBuffer());
      assert.deepEqual(new Uint8Array(await output!.toBytes()), bytes);
      assert.deepEqual(await output!.toBytes({ range: [5, 9] }), bytes.slice(5, 10));
    },
  },
  {
    number: 46,
    title: 'inline content: getDownloadUrl gives an address that works with the key',
    by: 'sdk and fetch',
    play: async (target) => {
      await using own = await target.fresh({ content: 'inline' });
      const { comfy } = sdkOf(own);
      const { outputs } = await comfy.run(comfy.workflows.fromJson(own.graphs.picture()));
      const { url, expiresAt } = await outputs[0]!.getDownloadUrl();
      assert.equal(expiresAt, null);
      const answer = await fetch(url, { headers: { authorization: `Bearer ${own.apiKey ?? ''}` } });
      assert.deepEqual(new Uint8Array(await answer.arrayBuffer()), await outputs[0]!.toBytes());
    },
  },
  {
    number: 47,
    title: 'the engine lost a file: 404 output_unavailable, and the other outputs are still served',
    by: 'sdk',
    needs: ['loseFile'],
    play: async (target) => {
      const { comfy } = sdkOf(target);
      const { outputs } = await comfy.run(comfy.workflows.fromJson(target.graphs.twoPictures()));
      const [lost, kept] = outputs;
      target.loseFile!(lost!.id);
      const error = await rejection(ComfyError, () => lost!.toBytes());
      assert.deepEqual([error.httpStatus, error.code], [404, 'output_unavailable']);
      assert.ok((await kept!.toBytes()).length > 0);
    },
  },
];
