import { clientOf, playedService, workflow } from '../support.js';
import { createGateway, memoryJobIndex } from '../../../src/gateway.js';
import type { GatewayOptions } from '../../../src/gateway.js';
import { expect, it } from 'vitest';

/** What the second submission of a caller is answered. */
const second = async (options: Partial<GatewayOptions>) => {
  await using gateway = createGateway({
    ...{ client: clientOf(playedService()), authorize: () => ({ name: 'ann' }), ...options },
  });
  const submit = () =>
    gateway.fetch(
      new Request('http://h/api/v2/jobs', { method: 'POST', body: JSON.stringify({ workflow }) }),
    );
  expect((await submit()).status).toBe(201);
  const answer = await submit();
  const { error } = (await answer.json()) as {
    readonly error: { readonly code: string; readonly message: string };
  };
  return [answer.status, answer.headers.get('retry-after'), error.code, error.message];
};

it.each([
  [
    { limits: { jobs: 1 } },
    429,
    'queue_full',
    'You have as many jobs under way as you may have (limits.jobs',
  ],
  [{ limits: { keptBytes: 300 } }, 429, 'queue_full', 'Your jobs under way have as many bytes'],
  [{ index: memoryJobIndex({ maxJobs: 1 }) }, 503, 'overloaded', 'All callers together have as many jobs'],
  [{ index: memoryJobIndex({ maxSize: 300 }) }, 503, 'overloaded', 'All callers together have as many jobs'],
])('T4 a submission without room is told whose limit it is: %o', async (options, status, code, words) => {
  expect(await second(options)).toEqual([status, '5', code, expect.stringContaining(words)]);
});
