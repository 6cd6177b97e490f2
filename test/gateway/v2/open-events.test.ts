import { base } from './a-job.js';
import { describe, expect, it } from 'vitest';
import type { GatewayJobs } from '../../../src/server/gateway/model/gateway-jobs.js';
import { openEvents } from '../../../src/server/gateway/v2/open-events.js';
import type { RouteCall } from '../../../src/server/gateway/http/route.js';

/** What a stream is asked for by this request, and what it is answered. */
const asked = async (
  query: string,
  headers: Readonly<Record<string, string>> = {},
  stream: Awaited<ReturnType<GatewayJobs['stream']>> = new ReadableStream<Uint8Array>(),
) => {
  let given: Parameters<GatewayJobs['stream']> | undefined;
  let ends = 0;
  const jobs = {
    stream: (...what: Parameters<GatewayJobs['stream']>) => {
      given = what;
      return Promise.resolve(stream);
    },
  };
  const previewTicket = (): string => 't';
  const call = {
    ...{ caller: { name: 'ann' }, params: { id: 'j' }, base, url: new URL(`${base}/events${query}`) },
    ...{ request: new Request(base, { headers }), previewTicket, ended: () => (ends += 1) },
  } as unknown as RouteCall;
  const answer = await openEvents({ jobs: jobs as unknown as GatewayJobs }, 'native')(call);
  const [scope, form, start] = given ?? [];
  return { answer, scope, form, start, ends, previewTicket };
};
const typeOf = ({ answer }: { readonly answer: unknown }) => (answer as Response).headers.get('content-type');

describe('the events of jobs', () => {
  it('go on after the event that the header names, or else the query', async () => {
    const { scope, form, start, previewTicket } = await asked('?after=q-1', { 'last-event-id': 'h-1' });
    expect([scope, form, start]).toEqual([
      { owner: 'ann', jobId: 'j' },
      { view: 'native', format: 'sse', base, previewTicket },
      { after: 'h-1', from: undefined },
    ]);
    expect((await asked('?after=q-1')).start).toEqual({ after: 'q-1', from: undefined });
    expect((await asked('?after=&from=start')).start).toEqual({ after: undefined, from: 'start' });
    expect((await asked('?from=latest')).start).toEqual({ after: undefined, from: 'latest' });
    for (const from of ['', 'noon', 'START'])
      expect((await asked(`?from=${from}`)).answer).toMatchObject({ status: 400, code: 'invalid_request' });
  });

  it.each([
    ['application/x-ndjson', 'ndjson'],
    ['text/html, Application/X-NDJSON;q=0.9', 'ndjson'],
    ['text/event-stream', 'sse'],
    ['*/*', 'sse'],
    ['application/x-ndjsons', 'sse'],
    ['xapplication/x-ndjson', 'sse'],
  ])('are written as the caller accepts them: %s is %s', async (accept, format) => {
    const seen = await asked('', { accept });
    expect([seen.form?.format, typeOf(seen)]).toEqual([
      format,
      format === 'sse' ? 'text/event-stream' : 'application/x-ndjson',
    ]);
    expect((seen.answer as Response).headers.get('cache-control')).toBe('no-cache, no-transform');
  });

  it('are over by 204, so that no `EventSource` comes back, and free the stream’s place', async () => {
    const over = await asked('', {}, 'over');
    expect([(over.answer as Response).status, over.ends]).toEqual([204, 1]);
    expect((await asked('')).ends).toBe(0);
    const opened = await asked('');
    expect(opened.answer).toBeInstanceOf(Response);
  });
});
