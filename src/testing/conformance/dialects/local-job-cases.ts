import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { expectStatus } from '../api.js';
import type { ConformanceCase } from '../conformance-case.js';
import { emptyImage } from './empty-image.js';
import { eventsOf, type Message, openSocket } from '../live-socket.js';
import { filledText, list, object, text } from '../shape.js';
import { imagesOf, isLast, isSince, localRun, needsSince, recordOfLocal, submitted } from './local-run.js';
import type { Target } from '../target.js';
import { uploaded } from './local-write-cases.js';
import type { Workflow } from '../sample-workflows.js';

/** Chapter 11: what small jobs show. */
export const localJobCases: readonly ConformanceCase[] = [
  {
    id: 'L.5',
    title: 'only the socket of client_id hears of the job',
    run: async (target) => {
      const { id, heard, overheard } = await localRun(target);
      for (const type of ['execution_start', 'executing', 'execution_success']) {
        assert.ok(eventsOf(heard, type, id).length > 0, `its own socket gets ${type}`);
        assert.equal(eventsOf(overheard, type, id).length, 0, `another socket gets no ${type}`);
      }
    },
  },
  {
    id: 'L.6',
    title: 'prompt_id of the body becomes the id of the job',
    run: async (target) => {
      const { askedId, id } = await localRun(target);
      if (await isSince(target, '0.3.45')) assert.equal(id, askedId);
      else filledText(id, 'id');
    },
  },
  {
    id: 'L.11',
    title: 'a job that has ended is in the history, with its status, and not in the queue',
    run: async (target) => {
      const { id, record } = await localRun(target);
      assert.equal(object(record['status'], 'status')['status_str'], 'success');
      const queue = object((await expectStatus(200, target, 'GET', '/api/queue')).json(), 'the queue');
      const ids = Object.values(queue).flatMap((items) =>
        list(items, 'its items').map((item) => list(item, 'an item')[1]),
      );
      assert.ok(!ids.includes(id), 'the queue has it no more');
    },
  },
  {
    id: 'L.21',
    title: 'a saved file is named by prefix and number',
    run: async (target) => {
      const [file] = await imagesOf(target);
      assert.match(filledText(file?.['filename'], 'filename'), /^conformance_\d{5}_\.png$/u);
    },
  },
  {
    id: 'L.19',
    title: 'a file comes by itself, with an ETag, whole and in parts',
    run: async (target) => {
      const query = await queryOf(target);
      const whole = await expectStatus(200, target, 'GET', '/api/view', { query });
      const etag = filledText(whole.headers.get('etag'), 'ETag');
      const headers = { Range: 'bytes=4-11' };
      const part = await expectStatus(206, target, 'GET', '/api/view', { query, headers });
      assert.deepEqual(part.bytes, whole.bytes.subarray(4, 12));
      const known = { query, headers: { 'If-None-Match': etag } };
      await expectStatus(304, target, 'GET', '/api/view', known);
      const missing = { filename: 'no-such-file.png', type: 'output' };
      const refused = await expectStatus(404, target, 'GET', '/api/view', { query: missing });
      assert.equal(refused.bytes.length, 0);
    },
  },
  {
    id: 'L.65',
    title: 'view takes the last part of filename only',
    run: async (target) => {
      const query = await queryOf(target);
      const behind = { ...query, filename: `no/such/folder/${query.filename}` };
      await expectStatus(200, target, 'GET', '/api/view', { query: behind });
    },
  },
  {
    id: 'L.28',
    title: 'status follows the end, and executing without a node follows status',
    run: async (target) => {
      const { id, heard } = await localRun(target);
      const success = heard.findIndex(
        (message) => message.kind === 'text' && message.type === 'execution_success',
      );
      const last = heard.findIndex((message) => isLast(message, id));
      const between = heard.slice(success + 1, last);
      assert.ok(success >= 0 && success < last, 'executing comes after the end');
      assert.ok(
        between.some((message) => message.kind === 'text' && message.type === 'status'),
        'status comes between',
      );
    },
  },
  {
    id: 'L.72',
    title: 'a job that has ended has outputs and workflow, and an unknown one is 404',
    run: async (target) => {
      await needsSince(target, '0.6.0');
      const unknown = await expectStatus(404, target, 'GET', `/api/jobs/${randomUUID()}`);
      filledText(object(unknown.json(), 'the refusal')['error'], 'error');
      const job = await jobOf(target);
      assert.equal(job['status'], 'completed');
      for (const name of ['outputs', 'execution_status', 'workflow']) object(job[name], name);
    },
  },
  {
    id: 'L.73',
    title: 'outputs_count counts the objects of lists',
    run: async (target) => {
      await needsSince(target, '0.6.0');
      assert.equal((await jobOf(target))['outputs_count'], (await imagesOf(target)).length);
    },
  },
  {
    id: 'L.66',
    title: 'partial_execution_targets runs these output nodes only',
    run: async (target) => {
      await needsSince(target, '0.3.48');
      const prompt = {
        ...emptyImage(),
        other: { class_type: 'PreviewImage', inputs: { images: ['image', 0] } },
      };
      const id = await submitted(target, { prompt, partial_execution_targets: ['save'] });
      const { outputs } = await recordOfLocal(target, id);
      assert.deepEqual(Object.keys(object(outputs, 'outputs')), ['save']);
    },
  },
  {
    id: 'L.26',
    title: 'a second socket of a clientId takes over',
    run: async (target) => {
      const clientId = randomUUID();
      await using first = await openSocket(target, { token: null, clientId });
      await first.find('a first message', () => true);
      await using second = await openSocket(target, { token: null, clientId });
      await second.find('a first message', () => true);
      const id = await submitted(target, { client_id: clientId });
      await second.find('the last event of the job', (message) => isLast(message, id));
      await first.settle();
      assert.equal(
        eventsOf(first.messages, 'execution_success', id).length,
        0,
        'the first one hears nothing',
      );
    },
  },
  {
    id: 'L.36',
    title: 'execution_error has its members in order, and its message ends with a line break',
    run: async (target) => {
      const clientId = randomUUID();
      const image = await uploaded(target, 'no picture', { overwrite: 'true' });
      await using socket = await openSocket(target, { token: null, clientId });
      await submitted(target, { client_id: clientId, prompt: loading(image) });
      const error = await socket.find('the error', isError);
      assert.ok(error.kind === 'text');
      const members = [
        'prompt_id',
        'node_id',
        'node_type',
        'executed',
        'exception_message',
        'exception_type',
      ];
      const more = ['traceback', 'current_inputs', 'current_outputs', 'timestamp'];
      assert.deepEqual(Object.keys(error.data), [...members, ...more]);
      assert.equal(error.data['node_id'], 'load');
      assert.match(text(error.data['exception_message'], 'exception_message'), /\n$/u);
    },
  },
];

const isError = (message: Message): boolean => message.kind === 'text' && message.type === 'execution_error';

const loading = (image: string): Workflow => ({
  load: { class_type: 'LoadImage', inputs: { image } },
  save: { class_type: 'PreviewImage', inputs: { images: ['load', 0] } },
});

const queryOf = async (
  target: Target,
): Promise<Readonly<Record<'filename' | 'subfolder' | 'type', string>>> => {
  const [{ filename = '', subfolder = '', type = '' } = {}] = await imagesOf(target);
  return { filename: String(filename), subfolder: String(subfolder), type: String(type) };
};

const jobOf = async (target: Target): Promise<Record<string, unknown>> => {
  const { id } = await localRun(target);
  return object((await expectStatus(200, target, 'GET', `/api/jobs/${id}`)).json(), 'the job');
};
