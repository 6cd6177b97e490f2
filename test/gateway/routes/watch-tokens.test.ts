import { describe, expect, it } from 'vitest';
import { createHandler } from '../../../src/server/gateway/http/handler.js';
import { virtualClock } from '../../../src/testing/virtual-clock.js';
import { watchTokenRoutes } from '../../../src/server/gateway/routes/routes.js';
import { watchTokens } from '../../../src/server/gateway/http/watch-tokens.js';

/** A handler whose only job is `mine` of ann. */
const setUp = () => {
  const clock = virtualClock();
  const tokens = watchTokens({ clock });
  const handle = createHandler({
    routes: watchTokenRoutes(tokens, ({ name }, id) => Promise.resolve(name === 'ann' && id === 'mine')),
    authorize: ({ headers }) => ({ name: headers.get('x-name') ?? 'ann' }),
    ...{ tokens, clock },
  });
  const ask = async (body?: unknown, name = 'ann') => {
    const answer = await handle(
      new Request('http://h/watch-tokens', {
        method: 'POST',
        headers: { 'x-name': name },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    );
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  return { ask, tokens, clock };
};

describe('POST /watch-tokens', () => {
  it('gives a token for a job of the caller, or for all, for as long as the caller asks', async () => {
    const { ask, tokens, clock } = setUp();
    const after = (seconds: number) => new Date(clock.wall() + seconds * 1000).toISOString();
    for (const [body, jobId, seconds] of [
      [undefined, undefined, 300],
      [{}, undefined, 300],
      [{ job: 'mine' }, 'mine', 300],
      [{ job: 'mine', seconds: 60 }, 'mine', 60],
      [{ seconds: 0.5 }, undefined, 0.5],
      [{ seconds: 300 }, undefined, 300],
    ] as const) {
      const { status, body: answer } = await ask(body);
      expect([status, answer['expires_at']]).toEqual([201, after(seconds)]);
      expect(await tokens.read(String(answer['ticket']))).toEqual({ caller: { name: 'ann' }, jobId });
    }
  });

  it('gives none for a job that is unknown or another caller’s', async () => {
    const { ask } = setUp();
    for (const [job, name] of [
      ['mine', 'bob'],
      ['other', 'ann'],
    ] as const)
      expect(await ask({ job }, name)).toMatchObject({ status: 404, body: { code: 'job_not_found' } });
  });

  it.each([
    [[]],
    ['text'],
    [{ job: 7 }],
    [{ seconds: 0 }],
    [{ seconds: -1 }],
    [{ seconds: '60' }],
    [{ seconds: 301 }],
  ])('refuses %j', async (body) => {
    expect(await setUp().ask(body)).toMatchObject({ status: 422, body: { code: 'invalid_request' } });
  });
});
