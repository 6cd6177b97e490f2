import assert from 'node:assert/strict';
import { api, expectStatus } from '../api.js';
import type { ConformanceCase } from '../conformance-case.js';
import { filledText, isObject, list, number, object, text, texts } from '../shape.js';
import { needsSince } from './local-run.js';
import { NotAllowed } from '../wire.js';
import { openSocket } from '../live-socket.js';

/** Chapter 11 and 2.14: what reading shows of lists, records and limits. */
export const localReadCases: readonly ConformanceCase[] = [
  {
    id: 'L.16',
    title: 'the queue lists what runs and what waits, each item with five members',
    run: async (target) => {
      const queue = object((await expectStatus(200, target, 'GET', '/api/queue')).json(), 'the queue');
      for (const item of ['queue_running', 'queue_pending'].flatMap((name) => list(queue[name], name))) {
        const [place, id, workflow, extraData, outputs] = list(item, 'an item');
        number(place, 'its number');
        filledText(id, 'its id');
        object(workflow, 'its workflow');
        object(extraData, 'its extra_data');
        texts(outputs, 'its output ids');
      }
    },
  },
  {
    id: 'L.34',
    title: 'integers have all their digits',
    run: async (target) => {
      const answer = await expectStatus(200, target, 'GET', '/api/object_info/KSampler');
      if (!isObject(object(answer.json(), 'the classes')['KSampler']))
        throw new NotAllowed('the server has no KSampler, whose seed shows it');
      assert.match(answer.bytes.toString(), /"max": ?18446744073709551615\b/u);
    },
  },
  {
    id: 'L.71',
    title: 'the list of jobs has its pagination, and refuses other words',
    run: async (target) => {
      await needsSince(target, '0.6.0');
      const answer = await expectStatus(200, target, 'GET', '/api/jobs', { query: { limit: '1' } });
      const listed = object(answer.json(), 'the list');
      const jobs = list(listed['jobs'], 'jobs').map((job) => object(job, 'a job'));
      assert.ok(jobs.length <= 1, 'limit holds');
      for (const name of ['workflow', 'outputs'])
        assert.ok(!jobs.some((job) => name in job), `a job of the list has no ${name}`);
      const pagination = object(listed['pagination'], 'pagination');
      for (const name of ['offset', 'limit', 'total']) number(pagination[name], name);
      assert.equal(typeof pagination['has_more'], 'boolean');
      const refused = await expectStatus(400, target, 'GET', '/api/jobs', { query: { status: 'no-word' } });
      filledText(object(refused.json(), 'the refusal')['error'], 'error');
    },
  },
  {
    id: 'L.80',
    title: 'node_replacements has a list of entries for each class',
    run: async (target) => {
      await needsSince(target, '0.14.0');
      const answer = await expectStatus(200, target, 'GET', '/api/node_replacements');
      for (const [name, entries] of Object.entries(object(answer.json(), 'the replacements')))
        for (const entry of list(entries, name))
          text(object(entry, `an entry of ${name}`)['new_node_id'], 'new_node_id');
    },
  },
  {
    id: 'L.84',
    title: 'folders of models are listed, and an unknown one is 404',
    run: async (target) => {
      const folders = texts((await expectStatus(200, target, 'GET', '/api/models')).json(), 'the folders');
      const [first] = folders;
      if (first !== undefined)
        texts((await expectStatus(200, target, 'GET', `/api/models/${first}`)).json(), 'the files');
      await expectStatus(404, target, 'GET', '/api/models/no-such-folder');
    },
  },
  {
    id: 'L.85',
    title: 'embeddings and extensions are lists of texts, and a refusal of models has no body',
    run: async (target) => {
      for (const path of ['/api/embeddings', '/api/extensions'])
        texts((await expectStatus(200, target, 'GET', path)).json(), path);
      const { bytes } = await api(target, 'GET', '/api/models/no-such-folder');
      assert.equal(bytes.length, 0);
    },
  },
  {
    id: 'L.87',
    title: 'the history keeps to max_items',
    run: async (target) => {
      const answer = await expectStatus(200, target, 'GET', '/api/history', { query: { max_items: '1' } });
      assert.ok(Object.keys(object(answer.json(), 'the history')).length <= 1, 'it has one record at most');
    },
  },
  {
    id: 'L.88',
    title: 'files of the user are refused without a folder, outside of theirs, and where it is missing',
    run: async (target) => {
      const refusals = [
        [400, {}],
        [403, { dir: '../..' }],
        [404, { dir: 'no-such-folder' }],
      ] as const;
      for (const [status, query] of refusals)
        await expectStatus(status, target, 'GET', '/api/userdata', { query });
    },
  },
  {
    id: 'L.30',
    title: 'a text message above 4 MiB ends the socket with 1009',
    run: async (target) => {
      await using socket = await openSocket(target, { token: null });
      socket.send('x'.repeat(4 * 1024 * 1024 + 1));
      assert.equal(await socket.closed(), 1009);
    },
  },
];
