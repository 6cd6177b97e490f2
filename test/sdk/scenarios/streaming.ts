import assert from 'node:assert/strict';
import { Unauthorized } from '@comfyorg/sdk';
import { decode as decodeJpeg } from 'jpeg-js';
import { PNG } from 'pngjs';
import { allEvents, finalStatuses, openEvents, type SeenEvent } from '../events.js';
import { ask, eventually, rejection, sdkOf, type SdkPlayer } from '../players.js';
import { relayTo } from '../relay.js';
import type { Scenario } from '../scenario.js';

type Job = Awaited<ReturnType<SdkPlayer['comfy']['submit']>>;
type JobEvent = ReturnType<Job['events']> extends AsyncGenerator<infer E> ? E : never;

/** Event streams, 19 to 30. */
export const streaming: readonly Scenario[] = [
  {
    number: 19,
    title: 'order: status, snapshots, every output, the final status, the end',
    by: 'sdk and fetch',
    play: async (target) => {
      const { comfy, callsOf } = sdkOf(target);
      const job = await comfy.submit(comfy.workflows.fromJson(target.graphs.picture()));
      await using stream = await openEvents(target, job.id);
      const [events, frames] = await Promise.all([eventsOf(job), allEvents(stream)]);
      assert.equal(events[0]?.kind, 'statusChange');
      assert.deepEqual(events.at(-1), { kind: 'statusChange', status: 'succeeded', queuePosition: null });
      assert.equal(callsOf('GET /jobs/{id}/events').length, 1, 'one connection');
      assert.equal(frames[0]?.event, 'status');
      assert.equal(frames.at(-1)?.event, 'status');
      assert.equal(frames.at(-1)?.data['status'], 'succeeded');
      assert.ok(
        frames.some(({ event }) => event === 'progress'),
        'progress is shown',
      );
      await job.refresh();
      const sent = frames.filter(({ event }) => event === 'output').map(({ data }) => data['id']);
      assert.deepEqual([...sent].sort(), job.outputs.map(({ id }) => id).sort(), 'each output once');
    },
  },
  {
    number: 20,
    title: 'keep-alives through a silent node: exactly one connection',
    by: 'sdk',
    long: async (target) => {
      await using own = await target.fresh({ unhurried: true });
      const { comfy, callsOf } = sdkOf(own);
      const job = await comfy.submit(comfy.workflows.fromJson(own.graphs.lasting(48_000)));
      assert.equal((await eventsOf(job)).at(-1)?.kind, 'statusChange');
      assert.equal(callsOf('GET /jobs/{id}/events').length, 1);
      assert.equal(callsOf('GET /jobs/{id}').length, 0, 'it never had to ask');
    },
  },
  {
    number: 21,
    title:
      'a cut in the middle: the client comes again, gets a snapshot and sees the end; progress never goes back',
    by: 'sdk',
    needs: ['cutStreams'],
    play: async (target) => {
      const { comfy, callsOf } = sdkOf(target);
      const job = await comfy.submit(comfy.workflows.fromJson(target.graphs.lasting(1_000)));
      const events: JobEvent[] = [];
      let isCut = false;
      for await (const event of job.events()) {
        events.push(event);
        if (event.kind === 'progress' && !isCut) {
          isCut = true;
          target.cutStreams!();
        }
      }
      assert.ok(isCut, 'it was cut');
      assert.equal(callsOf('GET /jobs/{id}/events').length, 2);
      const values = events.filter((event) => event.kind === 'progress').map(({ value }) => value);
      assert.deepEqual(
        values,
        [...values].sort((one, other) => one - other),
      );
      assert.equal(lastStatus(events), 'succeeded');
    },
  },
  {
    number: 22,
    title: 'the stream of a job that is over: one status, the end; of an unknown job: 404 before it',
    by: 'sdk',
    play: async (target) => {
      const { comfy, low } = sdkOf(target);
      const job = await comfy.run(comfy.workflows.fromJson(target.graphs.picture()));
      assert.deepEqual(await eventsOf(job), [
        { kind: 'statusChange', status: 'succeeded', queuePosition: null },
      ]);
      await using stream = await openEvents(target, job.id);
      assert.equal((await allEvents(stream)).length, 1);
      const unknown = low.getJobEvents('00000000-0000-4000-8000-000000000000');
      const error = await rejection(Error, () => unknown.next());
      assert.equal((error as { code?: unknown }).code, 'job_not_found');
    },
  },
  {
    number: 23,
    title: 'no stream ends without a final status while its job runs',
    by: 'fetch',
    play: async (target) => {
      const graphs = [target.graphs.picture(), target.graphs.lasting(300), target.graphs.failing()];
      await Promise.all(
        graphs.map(async (workflow) => {
          const { id } = (await ask(target, 'POST', '/jobs', { body: { workflow } })).json();
          await using stream = await openEvents(target, String(id));
          const frames = await allEvents(stream);
          assert.ok(finalStatuses.includes(String(frames.at(-1)?.data['status'])), stream.text());
        }),
      );
    },
  },
  {
    number: 24,
    title: 'too many streams: 429 with Retry-After; polls go on, and a later connection works',
    by: 'sdk and fetch',
    play: async (target) => {
      await using own = await target.fresh({ streamLimit: 1 });
      const { comfy, callsOf } = sdkOf(own);
      const job = await comfy.submit(comfy.workflows.fromJson(own.graphs.lasting(1_500)));
      const first = await openEvents(own, job.id);
      const events = eventsOf(job);
      const refused = await eventually('the refusal', () =>
        callsOf('GET /jobs/{id}/events').find(({ status }) => status === 429),
      );
      assert.match(refused.answered?.get('retry-after') ?? '', /^[1-9]\d*$/u);
      await job.refresh();
      assert.ok(!finalStatuses.includes(job.status));
      await first[Symbol.asyncDispose]();
      assert.equal(lastStatus(await events), 'succeeded');
      assert.equal(callsOf('GET /jobs/{id}/events').at(-1)?.status, 200);
    },
  },
  {
    number: 25,
    title: 'no streams at all: 501, the iteration ends, wait() works',
    by: 'sdk',
    play: async (target) => {
      await using own = await target.fresh({ streamLimit: 0 });
      const { comfy, callsOf } = sdkOf(own);
      const job = await comfy.submit(comfy.workflows.fromJson(own.graphs.picture()));
      assert.deepEqual(await eventsOf(job), []);
      assert.deepEqual(
        callsOf('GET /jobs/{id}/events').map(({ status }) => status),
        [501],
      );
      assert.equal((await job.wait()).status, 'succeeded');
    },
  },
  {
    number: 26,
    title: 'a key that is revoked in mid-stream: an error event, the end, and 401 at once',
    by: 'sdk and fetch',
    needs: ['revokeKey'],
    play: async (target) => {
      const { comfy, callsOf } = sdkOf(target);
      const job = await comfy.submit(comfy.workflows.fromJson(target.graphs.lasting(60_000)));
      await using stream = await openEvents(target, job.id);
      const frames = allEvents(stream);
      const events = job.events();
      await events.next();
      await target.revokeKey!();
      await rejection(Unauthorized, async () => {
        for (;;) if ((await events.next()).done === true) return;
      });
      const last = (await frames).at(-1);
      assert.equal(last?.event, 'error');
      assert.ok(typeof (last.data['error'] as { code?: unknown } | undefined)?.code === 'string');
      assert.equal((await ask(target, 'GET', `/jobs/${job.id}`)).status, 401);
      assert.equal(callsOf('GET /jobs/{id}/events').length, 1, 'it does not come again');
    },
  },
  {
    number: 27,
    title: 'previews are whole pictures of their type; a slow reader gets the newest only',
    by: 'sdk and fetch',
    needs: ['inject'],
    play: async (target) => {
      const { comfy } = sdkOf(target);
      const job = await comfy.submit(comfy.workflows.fromJson(target.graphs.picture()));
      const previews = (await eventsOf(job)).filter((event) => event.kind === 'preview');
      assert.ok(previews.length > 0, 'there are previews');
      for (const { contentType, data, nodeId } of previews) {
        assert.ok(typeof nodeId === 'string');
        const picture = contentType === 'image/png' ? PNG.sync.read(Buffer.from(data)) : decodeJpeg(data);
        assert.ok(contentType === 'image/png' || contentType === 'image/jpeg', contentType);
        assert.ok(picture.width > 0 && picture.height > 0);
      }
    },
    long: async (target) => {
      await using own = await target.fresh({ jobsAtOnce: 1 });
      const first = await ask(own, 'POST', '/jobs', { body: { workflow: own.graphs.lasting(60_000) } });
      const second = await ask(own, 'POST', '/jobs', { body: { workflow: own.graphs.picture(400) } });
      const id = String(second.json()['id']);
      await using prompt = await openEvents(own, id);
      await using slow = await openEvents(own, id);
      // More than the buffers of two sockets hold.
      own.inject!(`: ${'x'.repeat(48_000_000)}\n\n`);
      const promptly = allEvents(prompt);
      await ask(own, 'POST', `/jobs/${String(first.json()['id'])}/cancel`);
      const howMany = (events: readonly SeenEvent[]) =>
        events.filter(({ event }) => event === 'preview').length;
      assert.ok(howMany(await promptly) > 4, 'a prompt reader gets more');
      const slowly = await allEvents(slow);
      assert.ok(howMany(slowly) <= 2, `${howMany(slowly)} previews for the slow reader`);
      assert.equal(slowly.at(-1)?.data['status'], 'succeeded');
    },
  },
  {
    number: 28,
    title: 'break and abort: the server frees the stream at once',
    by: 'sdk',
    play: async (target) => {
      const { comfy } = sdkOf(target);
      const job = await comfy.submit(comfy.workflows.fromJson(target.graphs.lasting(60_000)));
      for await (const event of job.events()) {
        assert.equal(target.openStreams(), 1, event.kind);
        break;
      }
      await eventually('no stream is open', () => (target.openStreams() === 0 ? true : undefined));
      const leaving = new AbortController();
      const events = job.events(leaving.signal);
      await events.next();
      assert.equal(target.openStreams(), 1);
      leaving.abort();
      await rejection(Error, async () => {
        for (;;) await events.next();
      });
      await eventually('no stream is open', () => (target.openStreams() === 0 ? true : undefined));
      await job.cancel();
    },
  },
  {
    number: 29,
    title: 'an unknown event, id and retry lines change nothing',
    by: 'sdk',
    play: async (target) => {
      const strange = 'id: 7\nretry: 1\nevent: wattage\ndata: {"status":"failed"}\n\n';
      await using relay = await relayTo(target.baseUrl, {
        events: (text) => text.replaceAll(/^event: /gmu, `${strange}event: `),
      });
      const { comfy, callsOf } = sdkOf({ ...target, baseUrl: relay.baseUrl });
      const job = await comfy.submit(comfy.workflows.fromJson(target.graphs.picture()));
      assert.equal(lastStatus(await eventsOf(job)), 'succeeded');
      const [connection, ...more] = callsOf('GET /jobs/{id}/events');
      assert.equal(connection?.headers.get('last-event-id'), null);
      assert.equal(more.length, 0);
    },
  },
  {
    number: 30,
    title: 'no compression and no buffering: the first frame comes before the job ends',
    by: 'fetch',
    play: async (target) => {
      const body = { workflow: target.graphs.lasting(60_000) };
      const { id } = (await ask(target, 'POST', '/jobs', { body })).json();
      const headers = { 'accept-encoding': 'gzip, br' };
      await using stream = await openEvents(target, String(id), headers);
      assert.match(stream.headers.get('content-type') ?? '', /^text\/event-stream/u);
      assert.equal(stream.headers.get('content-encoding'), null);
      for await (const { event } of stream.events) {
        assert.equal(event, 'status');
        break;
      }
      const { status } = (await ask(target, 'POST', `/jobs/${String(id)}/cancel`)).json();
      assert.ok(['running', 'queued', 'canceling', 'canceled'].includes(String(status)), String(status));
    },
  },
];

const eventsOf = async (job: Job): Promise<readonly JobEvent[]> => {
  const events: JobEvent[] = [];
  for await (const event of job.events()) events.push(event);
  return events;
};

const lastStatus = (events: readonly JobEvent[]): string | undefined => {
  const last = events.at(-1);
  return last?.kind === 'statusChange' ? last.status : undefined;
};
