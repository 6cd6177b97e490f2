import * as E from 'fp-ts/lib/Either.js';
import { cancelOneJob } from '../../src/core/http/cancel-one-job.js';
import { dialects } from '../../src/client/dialects/dialects.js';
import { describe, expect, it } from 'vitest';
import { type FakeAnswer, fakePlatform } from '../helpers/fake-platform.js';
import { httpConnection } from '../helpers/http-connection.js';
import { jobsApi, type JobsApi } from '../../src/core/http/jobs-api.js';

/** Cancels `p/1` at a server with this answer. */
const cancelled = async (
  answer: FakeAnswer,
  dialect: 'local' | 'cloud' = 'local',
  known: (routes: JobsApi) => void = () => undefined,
) => {
  const platform = fakePlatform(() => answer);
  const routes = jobsApi(platform.clock);
  known(routes);
  const connection = httpConnection(platform, { dialect: dialects[dialect].http });
  const running = cancelOneJob(connection, routes, 'p/1')();
  await platform.clock.advance(120_000);
  const result = await running;
  return {
    said: E.isRight(result) ? result.right : result.left._tag,
    asked: platform.requests.map(({ method, url }) => `${method} ${new URL(url).pathname}`),
    knows: [routes.isThere('cancel'), routes.isAbsent('cancel')],
  };
};

describe('the cancellation of one job by the jobs API', () => {
  it.each([
    [true, 'taken'],
    [false, 'over'],
  ] as const)('says whether it acts on the job: %j is %s', async (value, said) => {
    expect(await cancelled({ body: { cancelled: value } })).toEqual({
      ...{ said, asked: ['POST /api/jobs/p%2F1/cancel'], knows: [true, false] },
    });
  });

  it.each<readonly [string, FakeAnswer, readonly boolean[]]>([
    ['lacks the route', { status: 405 }, [false, true]],
    ['has another page there', { status: 404, body: '<html></html>' }, [false, true]],
    ['knows no such job', { status: 404, body: { error: 'Job not found' } }, [false, false]],
    ['takes no such id', { status: 400, body: { error: 'invalid id' } }, [false, false]],
  ])('has no route where the server %s, and remembers that of the server alone', async (_, answer, knows) => {
    expect(await cancelled(answer)).toMatchObject({ said: 'no route', knows });
  });

  it('is what the service refuses, where that is about the caller', async () => {
    expect(await cancelled({ status: 403 })).toMatchObject({ said: 'Forbidden', knows: [false, false] });
  });

  it('asks no server that is known to lack the route, or not known to have the API', async () => {
    const answer = { body: { cancelled: true } };
    for (const route of ['job', 'cancel'] as const) {
      const absent = await cancelled(answer, 'local', ({ note }) => note(route, 'absent'));
      expect([absent.said, absent.asked]).toEqual(['no route', []]);
    }
    expect(await cancelled(answer, 'cloud')).toMatchObject({ said: 'no route', asked: [] });
    const met = await cancelled(answer, 'cloud', ({ note }) => note('job', 'there'));
    expect([met.said, met.asked.length]).toEqual(['taken', 1]);
  });
});
