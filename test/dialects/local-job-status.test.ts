import { dialects } from '../../src/client/dialects/dialects.js';
import { createRest } from '../../src/core/http/rest.js';
import { describe, expect, it } from 'vitest';
import { type FakeAnswer, fakePlatform } from '../helpers/fake-platform.js';
import { httpConnection, leftOf, rightOf } from '../helpers/http-connection.js';
import type { Platform } from '../../src/core/platform/platform.js';
import { setUpRest } from '../helpers/rest-calls.js';

/** A client that asks for no jobs API, as one that has found out that the engine has none. */
const withoutJobsApi = { ...dialects.local.http, jobsApi: 'none' } as const;

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A local server whose queue has this many jobs of 64 KiB, the wanted one being the last; it makes them as they are read. */
const serverOf = (jobs: number) => {
  let made = 0;
  let discarded = 0;
  const workflow = JSON.stringify({ 3: { class_type: 'Note', inputs: { text: 'x'.repeat(64 * 1024) } } });
  // eslint-disable-next-line @typescript-eslint/require-await -- a body is an async iterable
  async function* listing() {
    yield bytes('{"queue_running": [[0, "first", {}, {}, []]], "queue_pending": [');
    for (; made < jobs; made += 1) {
      const id = made === jobs - 1 ? 'last' : `waiting-${made}`;
      yield bytes(`${made === 0 ? '' : ', '}[${made}, "${id}", ${workflow}, {}, ["3"]]`);
    }
    yield bytes(']}');
  }
  const platform: Platform = {
    ...fakePlatform(),
    request: () =>
      Promise.resolve({ status: 200, headers: {}, body: listing(), discard: () => void (discarded += 1) }),
  };
  const rest = createRest(httpConnection(platform, { dialect: withoutJobsApi }));
  return { rest, made: () => made, discarded: () => discarded };
};

describe('the status of a job on a local server', () => {
  it('F32: is read from a queue of any size', async () => {
    const { rest } = serverOf(300);
    expect(rightOf(await rest.jobStatus('last')())).toMatchObject({ promptId: 'last', phase: 'pending' });
  });

  it('F32: reads no more of the queue than it has to', async () => {
    const { rest, made, discarded } = serverOf(300);
    expect(rightOf(await rest.jobStatus('waiting-3')())).toMatchObject({ phase: 'pending' });
    expect(made()).toBeLessThan(6);
    expect(discarded()).toBe(1);
  });

  /** Asks a local server that lists no job but has this record of it, or answers the queue otherwise. */
  const asking = async (record: object | undefined, queue: FakeAnswer = { body: { queue_running: [] } }) => {
    const { rest, asked, requests, platform } = setUpRest(
      ({ url }) => (url.includes('queue') ? queue : { body: record === undefined ? {} : { p: record } }),
      { dialect: withoutJobsApi },
    );
    const permits: number[] = [];
    const nextPermit = (): Promise<void> => Promise.resolve(void permits.push(requests.length));
    return { status: await rest.jobStatus('p', { nextPermit })(), asked, requests, permits, platform };
  };

  it('is read from its record where the queue does not list it, with a permit of its own', async () => {
    const status = { status_str: 'success', completed: true };
    const found = await asking({ outputs: {}, status });
    expect(rightOf(found.status)).toStrictEqual({ promptId: 'p', status: 'completed', phase: 'completed' });
    expect(found.asked()).toEqual(['GET /api/queue', 'GET /api/history/p']);
    expect(found.permits).toEqual([1]);
    expect(found.requests[0]?.streamed).toBe(true);
    expect(found.platform.clock.pending()).toBe(0);
  });

  it('is completed by a record that does not say how the job ended, and failed by one that does', async () => {
    expect(rightOf((await asking({ outputs: {} })).status)).toMatchObject({
      status: 'completed',
      phase: 'completed',
    });
    const messages = [['execution_error', { exception_type: 'ValueError' }]];
    expect(
      rightOf((await asking({ outputs: {}, status: { status_str: 'error', messages } })).status),
    ).toMatchObject({ status: 'failed', phase: 'failed', failure: { exceptionType: 'ValueError' } });
  });

  it('is NotFound where neither the queue nor history has it', async () => {
    const { status, asked } = await asking(undefined);
    expect(leftOf(status)).toMatchObject({ _tag: 'NotFound', promptId: 'p' });
    expect(asked()).toHaveLength(2);
  });

  it.each([
    [403, 'Forbidden'],
    [400, 'BadRequest'],
    [199, 'UnexpectedStatus'],
  ])('is not looked for in history where the queue answers %d', async (status, tag) => {
    const { status: answer, asked } = await asking({ outputs: {} }, { status });
    expect(leftOf(answer)).toMatchObject({ _tag: tag, status });
    expect(new Set(asked())).toEqual(new Set(['GET /api/queue']));
  });

  it('is read from a queue that comes with any status of a success', async () => {
    const body = { queue_running: [[0, 'p']] };
    expect(rightOf((await asking(undefined, { status: 299, body })).status).phase).toBe('in_progress');
  });

  it('F32: is read from pieces that are cut anywhere, each of which may take its 30 s', async () => {
    const { clock, ...platform } = fakePlatform();
    let discarded = 0;
    const listing = bytes('{"queue_running": [[0, "né"]], "queue_pending": []}');
    const cut = listing.indexOf(0xc3) + 1;
    const body = (async function* () {
      for (const piece of [listing.subarray(0, cut), listing.subarray(cut)]) {
        await new Promise<void>((resolve) => void clock.after(20_000, resolve));
        yield piece;
      }
    })();
    const request: Platform['request'] = ({ url }) =>
      url.includes('queue')
        ? Promise.resolve({ status: 200, headers: {}, body, discard: () => void (discarded += 1) })
        : Promise.reject(new Error('history was asked'));
    const connection = httpConnection({ ...platform, clock, request }, { dialect: withoutJobsApi });
    const asked = createRest(connection).jobStatus('né')();
    await clock.advance(40_000);
    expect(rightOf(await asked).phase).toBe('in_progress');
    expect([discarded, clock.pending()]).toEqual([1, 0]);
  });

  it('F32: lets a listing go that was read whole', async () => {
    const { rest, discarded } = serverOf(2);
    expect(leftOf(await rest.jobStatus('gone')())).toMatchObject({ _tag: 'Decode' });
    expect(discarded()).toBe(0);
  });

  it('F14: does not take a server without a queue for one that does not know the job', async () => {
    const platform = fakePlatform(() => ({ status: 404, body: '404: Not Found' }));
    const rest = createRest(httpConnection(platform, { dialect: withoutJobsApi }));
    expect(leftOf(await rest.jobStatus('p')())).toMatchObject({
      _tag: 'ProtocolChanged',
      status: 404,
      endpoint: 'GET /api/queue',
      sample: '404: Not Found',
    });
  });

  it('F30: tells a page in place of the queue as what it is', async () => {
    const platform = fakePlatform(() => ({ status: 200, body: '<html></html>' }));
    const rest = createRest(httpConnection(platform, { dialect: withoutJobsApi }));
    expect(leftOf(await rest.jobStatus('p')())).toMatchObject({
      _tag: 'Decode',
      endpoint: 'GET /api/queue',
      status: 200,
      reason: 'the answer is no queue listing',
    });
  });
});
