import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { api, expectStatus } from '../api.js';
import type { ConformanceCase } from '../conformance-case.js';
import { emptyImage } from './empty-image.js';
import { filledText, object, text } from '../shape.js';
import { needsSince } from './local-run.js';
import type { Target } from '../target.js';

/** Chapter 11: refusals, and files of the suite's own. */
export const localWriteCases: readonly ConformanceCase[] = [
  {
    id: 'L.17',
    title: 'a deletion from the queue is answered 200 without a body',
    run: async (target) => {
      const body = { delete: [randomUUID()] };
      assert.equal((await expectStatus(200, target, 'POST', '/api/queue', { body })).bytes.length, 0);
    },
  },
  {
    id: 'L.18',
    title: 'an interrupt of another job is answered 200 without a body',
    run: async (target) => {
      const body = { prompt_id: randomUUID() };
      assert.equal((await expectStatus(200, target, 'POST', '/api/interrupt', { body })).bytes.length, 0);
    },
  },
  {
    id: 'L.74',
    title: 'a job that neither waits nor runs is not cancelled, and an id that is no UUID is refused',
    run: async (target) => {
      await needsSince(target, '0.26.0');
      const answer = await expectStatus(200, target, 'POST', `/api/jobs/${randomUUID()}/cancel`);
      assert.equal(object(answer.json(), 'the answer')['cancelled'], false);
      await expectStatus(400, target, 'POST', '/api/jobs/cancel', { body: { job_ids: ['no-uuid'] } });
    },
  },
  {
    id: 'L.75',
    title: 'an id of the caller has to be a UUID',
    run: async (target) => {
      await needsSince(target, '0.25.0');
      const body = { prompt: emptyImage(), prompt_id: 'no-uuid' };
      const refused = object((await expectStatus(400, target, 'POST', '/api/prompt', { body })).json(), 'it');
      assert.equal(object(refused['error'], 'error')['type'], 'invalid_prompt_id');
    },
  },
  {
    id: 'L.20',
    title: 'an upload keeps its name, or gets a number beside other bytes of that name',
    run: async (target) => {
      assert.equal(await uploaded(target, 'no picture', { overwrite: 'true' }), 'conformance.png');
      assert.equal(await uploaded(target, 'no picture'), 'conformance.png');
      assert.match(await uploaded(target, 'no picture either'), /^conformance \(\d+\)\.png$/u);
      const body = new TextEncoder().encode('no form');
      assert.equal((await expectStatus(400, target, 'POST', '/api/upload/image', { body })).bytes.length, 0);
    },
  },
  {
    id: 'L.89',
    title: 'a file of the user is kept, not overwritten, moved and deleted',
    run: async (target) => {
      const path = '/api/userdata/conformance.txt';
      const moved = '/api/userdata/conformance-moved.txt';
      const body = new TextEncoder().encode('a text');
      for (const left of [path, moved]) await api(target, 'DELETE', left);
      const kept = await expectStatus(200, target, 'POST', path, { body });
      assert.equal(kept.json(), 'conformance.txt');
      await expectStatus(409, target, 'POST', path, { body, query: { overwrite: 'false' } });
      await expectStatus(200, target, 'POST', `${path}/move/conformance-moved.txt`);
      assert.deepEqual((await expectStatus(200, target, 'GET', moved)).bytes.toString(), 'a text');
      await expectStatus(204, target, 'DELETE', moved);
      await expectStatus(404, target, 'DELETE', moved);
    },
  },
];

/** Uploads a file of this text, and resolves with the name that it got. */
export const uploaded = async (
  target: Target,
  content: string,
  more: Readonly<Record<string, string>> = {},
): Promise<string> => {
  const form = new FormData();
  form.append('image', new Blob([content], { type: 'image/png' }), 'conformance.png');
  for (const [name, value] of Object.entries(more)) form.append(name, value);
  const answer = await expectStatus(200, target, 'POST', '/api/upload/image', { body: form });
  const { name, subfolder } = object(answer.json(), 'the answer');
  assert.equal(text(subfolder, 'subfolder'), '');
  return filledText(name, 'name');
};
