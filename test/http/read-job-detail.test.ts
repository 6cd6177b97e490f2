import * as E from 'fp-ts/lib/Either.js';
import { dialects } from '../../src/client/dialects/dialects.js';
import { expect, it } from 'vitest';
import { type FakeAnswer, fakePlatform } from '../helpers/fake-platform.js';
import { httpConnection } from '../helpers/http-connection.js';
import { jobsApi } from '../../src/core/http/jobs-api.js';
import { readJobDetail } from '../../src/core/http/read-job-detail.js';

/** Reads job `p` of an engine with this answer, and what is known of its jobs API then. */
const read = async (answer: FakeAnswer, options?: Parameters<ReturnType<typeof readJobDetail>>[1]) => {
  const platform = fakePlatform(() => answer);
  const routes = jobsApi(platform.clock);
  const connection = httpConnection(platform, { dialect: dialects.local.http });
  const detail = await readJobDetail(connection, routes)('p', options)();
  return {
    said: E.isRight(detail) ? detail.right.status : detail.left._tag,
    known: [routes.isThere('job'), routes.isAbsent('job')],
    asked: platform.requests.map(({ url }) => url.slice('http://127.0.0.1:9'.length)),
  };
};

it('a job is read from the jobs API, and what its answer shows of the server is known from then on', async () => {
  expect(await read({ body: { id: 'p', status: 'pending' } })).toEqual({
    ...{ said: 'pending', known: [true, false], asked: ['/api/jobs/p'] },
  });
  expect(await read({ status: 404, body: '<html>' })).toMatchObject({
    said: 'NotFound',
    known: [false, true],
  });
  expect(await read({ status: 404, body: { error: 'Job not found' } })).toMatchObject({
    ...{ said: 'NotFound', known: [false, false] },
  });
  const linked = await read({ body: { id: 'p', status: 'pending' } }, { shortLinks: 'owner' });
  expect(linked.asked).toEqual(['/api/jobs/p?short_link=default']);
});
