import * as E from 'fp-ts/lib/Either.js';
import { dialects } from '../../src/client/dialects/dialects.js';
import { describe, expect, it } from 'vitest';
import { type FakeAnswer, fakePlatform } from '../helpers/fake-platform.js';
import { httpConnection } from '../helpers/http-connection.js';
import { jobsApi } from '../../src/core/http/jobs-api.js';
import { statusByJobsApi, statusOf } from '../../src/core/http/status-by-jobs-api.js';

type Options = Parameters<ReturnType<typeof statusByJobsApi>>[1];

/** A server whose jobs API gives these answers one after the other, the last one over and over; what else is asked is noted. */
const server = (dialect: 'local' | 'cloud', ...answers: readonly (FakeAnswer | Promise<FakeAnswer>)[]) => {
  const asked: string[] = [];
  const platform = fakePlatform(() => {
    asked.push('jobs API');
    return answers[Math.min(asked.filter((one) => one === 'jobs API').length, answers.length) - 1]!;
  });
  const routes = jobsApi(platform.clock);
  const otherwise = (promptId: string) => () => {
    asked.push('otherwise');
    return Promise.resolve(E.right({ promptId, status: 'other', phase: 'pending' as const }));
  };
  const ask = statusByJobsApi(
    httpConnection(platform, { dialect: dialects[dialect].http }),
    routes,
    otherwise,
  );
  const status = async (options?: Options): Promise<string> => {
    const running = ask('p', options)();
    await platform.clock.advance(120_000);
    const answer = await running;
    return E.isRight(answer) ? answer.right.status : answer.left._tag;
  };
  return { asked, routes, status, ask, clock: platform.clock };
};

const found: FakeAnswer = { body: { id: 'p', status: 'in_progress', outputs: {} } };
const unknown: FakeAnswer = { status: 404, body: { error: 'Job not found' } };
const noRoute: FakeAnswer = { status: 404, body: '<html></html>' };

describe('the status of a job by the jobs API', () => {
  it('of an engine is read there from the first question on', async () => {
    const { asked, routes, status } = server('local', found);
    expect([await status(), await status()]).toEqual(['in_progress', 'in_progress']);
    expect([asked, routes.isThere('job')]).toEqual([['jobs API', 'jobs API'], true]);
  });

  it('of an engine that lacks it is asked for once, and then read otherwise', async () => {
    const { asked, status } = server('local', noRoute);
    expect([await status(), await status()]).toEqual(['other', 'other']);
    expect(asked).toEqual(['jobs API', 'otherwise', 'otherwise']);
  });

  it('is asked for once where many jobs ask at the same time', async () => {
    const { asked, ask, clock } = server('local', noRoute);
    const all = ['a', 'b', 'c'].map((id) => ask(id)());
    await clock.advance(1_000);
    expect((await Promise.all(all)).every(E.isRight)).toBe(true);
    expect(asked).toEqual(['jobs API', ...Array<string>(3).fill('otherwise')]);
  });

  it('of an engine that knows no such job is NotFound at once: the engine has looked everywhere', async () => {
    const { asked, status } = server('local', unknown);
    expect([await status(), asked]).toEqual(['NotFound', ['jobs API']]);
  });

  it('of a server that says when a job was updated is no engine’s, and read otherwise from then on', async () => {
    const { asked, status } = server('local', { body: { ...(found.body as object), update_time: 1 } });
    expect([await status(), await status()]).toEqual(['other', 'other']);
    expect(asked).toEqual(['jobs API', 'otherwise', 'otherwise']);
  });

  it('of a cloud service is read there once it has answered for a job, or for the place of one', async () => {
    const met = server('cloud', { body: { ...(found.body as object), update_time: 1 } });
    expect([await met.status(), met.asked]).toEqual(['other', ['otherwise']]);
    expect(await met.status({ seeksPlace: true })).toBe('in_progress');
    expect(await met.status()).toBe('in_progress');
    expect(met.asked).toEqual(['otherwise', 'jobs API', 'jobs API']);
  });

  it('of a cloud service that does not know the job there yet is read otherwise, after the next permit', async () => {
    const { asked, routes, status } = server('cloud', unknown);
    routes.note('job', 'there');
    const nextPermit = () => Promise.resolve(void asked.push('permit'));
    expect(await status({ nextPermit })).toBe('other');
    expect([asked, routes.isThere('job')]).toEqual([['jobs API', 'permit', 'otherwise'], true]);
  });

  it.each([
    [{ status: 401 }, 'Unauthorized'],
    [{ status: 403 }, 'Forbidden'],
    [{ status: 429, headers: { 'retry-after': '9999' } }, 'RateLimited'],
    [{ status: 500 }, 'other'],
  ])('is what another route would meet as well, and else read otherwise: %j is %s', async (answer, said) => {
    const { status, routes } = server('local', answer);
    expect([await status(), routes.isAbsent('job')]).toEqual([said, false]);
  });

  it('is the failure of the network, which another route would meet as well', async () => {
    const cut = Object.assign(new Error('cut'), { code: 'ECONNRESET', sent: false });
    const { asked, status } = server('local', Promise.reject(cut));
    expect([await status(), asked.includes('otherwise')]).toEqual(['Network', false]);
  });

  it('is not read otherwise once its caller has left', async () => {
    const { asked, status } = server('local', found);
    expect(await status({ signal: AbortSignal.abort() })).toBe('Aborted');
    expect(asked).toEqual([]);
  });

  it('lets the next caller ask where the first answer has shown nothing', async () => {
    const { asked, status } = server('local', { status: 403 }, found);
    expect([await status(), await status()]).toEqual(['Forbidden', 'in_progress']);
    expect(asked).toEqual(['jobs API', 'jobs API']);
  });

  it('has what the job itself tells, and no member for what it does not', () => {
    const detail = { promptId: 'p', status: 'pending', phase: 'pending', outputs: {} } as const;
    expect(statusOf(detail)).toEqual({ promptId: 'p', status: 'pending', phase: 'pending', detail });
    const more = { ...detail, queue: { position: 1 } as never, queuedAt: 1_000, failure: { a: 1 } as never };
    expect(statusOf(more)).toEqual({
      ...{ promptId: 'p', status: 'pending', phase: 'pending', queue: { position: 1 }, failure: { a: 1 } },
      ...{ createdAt: '1970-01-01T00:00:01.000Z', detail: more },
    });
  });
});
