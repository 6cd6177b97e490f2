import assert from 'node:assert/strict';
import { decode as decodeJpeg } from 'jpeg-js';
import { PNG } from 'pngjs';
import { allEvents, finalStatuses, openEvents } from '../../sdk/events.js';
import { ask } from '../../sdk/players.js';
import { text } from '../../../src/testing/conformance/shape.js';
import { expectOutput, expectProgress, statuses } from './documents.js';
import { dataOf, expectError, pictureRun, submit, unknownId } from './runs.js';
import type { V2Case } from './v2-case.js';

/** 12.7: events. */
export const eventCases: readonly V2Case[] = [
  {
    id: 'V.7.1',
    title: 'text/event-stream, of frames with a name and one JSON object',
    run: async (target) => {
      const { id, events } = await pictureRun(target);
      await using stream = await openEvents(target, id);
      assert.equal(stream.status, 200);
      assert.match(stream.headers.get('content-type') ?? '', /^text\/event-stream/u);
      await allEvents(stream);
      for (const { data } of events) assert.ok(typeof data === 'object' && !Array.isArray(data));
    },
  },
  {
    id: 'V.7.2',
    title: 'the first frame is status',
    run: async (target) => {
      assert.equal((await pictureRun(target)).events[0]?.event, 'status');
    },
  },
  {
    id: 'V.7.3',
    title: 'the stream ends after a final status',
    run: async (target) => {
      const run = await pictureRun(target);
      const final = dataOf(run, 'status').filter(({ status }) => finalStatuses.includes(String(status)));
      assert.deepEqual(
        final.map(({ status }) => status),
        [run.job['status']],
      );
      assert.equal(dataOf(run, 'status').at(-1), final[0]);
    },
  },
  {
    id: 'V.7.4',
    title: 'the stream of a final job is its status',
    run: async (target) => {
      const { id, job } = await pictureRun(target);
      await using stream = await openEvents(target, id);
      const events = await allEvents(stream);
      assert.deepEqual(
        events.map(({ event, data }) => [event, data['status']]),
        [['status', job['status']]],
      );
    },
  },
  {
    id: 'V.7.5',
    title: 'the data of events have the members of the table',
    run: async (target) => {
      const run = await pictureRun(target);
      for (const { status } of dataOf(run, 'status')) assert.ok(statuses.includes(String(status)));
      const progress = dataOf(run, 'progress').map((data) => Number(expectProgress(data)['value']));
      assert.ok(progress.length > 0);
      assert.deepEqual(
        progress,
        [...progress].sort((one, other) => one - other),
      );
      const outputs = dataOf(run, 'output').map((data) => expectOutput(data)['id']);
      assert.equal(new Set(outputs).size, outputs.length);
    },
  },
  {
    id: 'V.7.6',
    title: 'a preview is a whole picture of its type',
    run: async (target) => {
      const previews = dataOf(await pictureRun(target), 'preview');
      assert.ok(previews.length > 0);
      for (const { node_id: nodeId, content_type: type, data_base64: base64 } of previews) {
        text(nodeId, 'node_id');
        const bytes = Buffer.from(text(base64, 'data_base64'), 'base64');
        const picture = type === 'image/png' ? PNG.sync.read(bytes) : decodeJpeg(bytes);
        assert.ok(picture.width > 0);
      }
    },
  },
  {
    id: 'V.7.7',
    title: 'refusals come before the stream, in the shape of every error',
    run: async (target) => {
      const { id } = await pictureRun(target);
      expectError(await ask(target, 'GET', `/jobs/${unknownId}/events`), 404, 'not_found', 'job_not_found');
      expectError(await ask(target, 'GET', `/jobs/${id}/events`, { key: null }), 401, 'unauthorized');
      await using narrow = await target.fresh({ streamLimit: 1 });
      const job = (await submit(narrow, narrow.graphs.lasting(60_000))).json();
      await using first = await openEvents(narrow, String(job['id']));
      assert.equal(first.status, 200);
      expectError(await ask(narrow, 'GET', `/jobs/${String(job['id'])}/events`), 429, 'too_many_streams');
      await using none = await target.fresh({ streamLimit: 0 });
      const other = (await submit(none, none.graphs.lasting(60_000))).json();
      expectError(await ask(none, 'GET', `/jobs/${String(other['id'])}/events`), 501, 'not_implemented');
    },
  },
  {
    id: 'V.7.8',
    title: 'frames have no id',
    run: async (target) => {
      const { id } = (await submit(target, target.graphs.picture())).json();
      await using stream = await openEvents(target, String(id));
      await allEvents(stream);
      assert.doesNotMatch(stream.text(), /^(id|retry):/mu);
    },
  },
];
