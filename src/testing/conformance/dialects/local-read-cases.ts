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
    id: 'L.91',
    title: 'the filters of the list of jobs are lenient',
    run: async (target) => {
      await needsSince(target, '0.6.0');
      const listOf = async (query: Readonly<Record<string, string>>) =>
        object((await expectStatus(200, target, 'GET', '/api/jobs', { query })).json(), 'the list');
      await listOf({ status: 'COMPLETED, failed', limit: '1', output_type: 'image', after: 'x' });
      assert.deepEqual((await listOf({ status: ',' }))['jobs'], [], 'a lone comma');
      await listOf({ status: '', limit: '1' });
      const { pagination } = await listOf({ offset: '-1', limit: '1' });
      assert.equal(object(pagination, 'pagination')['offset'], 0);
      const { jobs } = await listOf({ workflow_id: 'no-such-workflow' });
      assert.deepEqual(jobs, [], 'an unknown workflow');
    },
  },
  {
    id: 'L.92',
    title: 'a job of the list has its place in the queue, its times and its counts',
    run: async (target) => {
      await needsSince(target, '0.6.0');
      const answer = await expectStatus(200, target, 'GET', '/api/jobs', { query: { limit: '20' } });
      for (const item of list(object(answer.json(), 'the list')['jobs'], 'jobs')) {
        const job = object(item, 'a job');
        number(job['priority'], 'priority');
        number(job['outputs_count'], 'outputs_count');
        for (const name of ['create_time', 'execution_start_time', 'execution_end_time'])
          if (job[name] !== undefined) number(job[name], name);
        const isOver = job['status'] !== 'pending' && job['status'] !== 'in_progress';
        if (isOver) continue;
        assert.equal(job['outputs_count'], 0, 'nothing is counted before the end');
        assert.ok(!('execution_end_time' in job), 'there is no time of an end');
      }
    },
  },
  {
    id: 'L.96',
    title: 'a view by a hash that the server does not know is 404',
    run: async (target) => {
      const query = { filename: `blake3:${'0'.repeat(64)}` };
      await expectStatus(404, target, 'GET', '/api/view', { query });
    },
  },
  {
    id: 'L.99',
    title: 'the features tell the largest upload',
    run: async (target) => {
      await needsSince(target, '0.3.64');
      const told = object((await expectStatus(200, target, 'GET', '/api/features')).json(), 'the features');
      number(told['max_upload_size'], 'max_upload_size');
      assert.equal(told['supports_preview_metadata'], true);
      if (told['assets'] !== undefined) assert.equal(typeof told['assets'], 'boolean');
    },
  },
  {
    id: 'L.102',
    title: 'an unknown class is missing_node_type',
    run: async (target) => {
      await needsSince(target, '0.12.0');
      const prompt = { 1: { class_type: 'NoSuchClassAnywhere', inputs: {} } };
      const answer = await expectStatus(400, target, 'POST', '/api/prompt', { body: { prompt } });
      const error = object(object(answer.json(), 'the refusal')['error'], 'error');
      assert.equal(error['type'], 'missing_node_type');
      filledText(object(error['extra_info'], 'extra_info')['node_id'], 'node_id');
    },
  },
  {
    id: 'L.108',
    title: 'the machine has its devices, each with a name and a type',
    run: async (target) => {
      const answer = await expectStatus(200, target, 'GET', '/api/system_stats');
      for (const item of list(object(answer.json(), 'the machine')['devices'], 'devices')) {
        const device = object(item, 'a device');
        for (const name of ['name', 'type']) filledText(device[name], name);
        for (const name of ['vram_total', 'vram_free', 'torch_vram_total', 'torch_vram_free'])
          number(device[name], name);
      }
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
