import { expect, it } from 'vitest';
import { aRemote } from './a-remote.js';

/** An answer whose body counts how it ends. */
const answer = (status: number, ends: string[]): Response =>
  new Response(
    new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(1)),
      cancel: () => void ends.push('cancelled'),
    }),
    { status },
  );

it('lets go of a refusal after which it renews its token', async () => {
  const ends: string[] = [];
  let token = 'old';
  const { remote, asked } = await aRemote({
    token: () => Promise.resolve(token),
    accepts: () => 'new',
    before: ({ path, headers }) => {
      if (!path.endsWith('/cancel')) return undefined;
      if (headers.get('authorization') === 'Bearer new') return Response.json({ requested: true });
      token = 'new';
      return answer(401, ends);
    },
  });
  await remote.cancel('a-job');
  expect(asked.map(({ path }) => path)).toEqual(['/jobs/a-job/cancel', '/jobs/a-job/cancel']);
  expect(ends).toEqual(['cancelled']);
});
