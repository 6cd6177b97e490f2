import { clientOf, playedService } from '../support.js';
import { createGateway } from '../../../src/gateway.js';
import { expect, it } from 'vitest';
import type { Clock } from '../../../src/core/platform/platform.js';
import { virtualClock } from '../../../src/testing.js';

/** A gateway whose callers are named by their header, and where each look at the clock takes a millisecond of work once `isBusy`. */
const busyGateway = () => {
  const clock = virtualClock();
  const work = { isBusy: false, looks: 0 };
  const busy: Clock = { ...clock, now: () => clock.now() + (work.isBusy ? (work.looks += 1) : work.looks) };
  const gateway = createGateway({
    client: clientOf(playedService()),
    authorize: ({ headers }) => ({ name: headers.get('authorization') ?? '' }),
    clock: busy,
  });
  const ask = (name: string, path: string, body?: object): Promise<Response> =>
    gateway.fetch(
      new Request(`http://h${path}`, {
        ...{ method: body === undefined ? 'GET' : 'POST', headers: { authorization: name } },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    );
  return { gateway, clock, work, ask };
};

it.each(['/jobs?text=nothing', '/api/v2/jobs?text=nothing'])(
  'T4 searches of one caller beside another one take a twentieth of the time beyond a burst: %s',
  async (path) => {
    const { gateway, clock, work, ask } = busyGateway();
    const workflow = Object.fromEntries(
      Array.from({ length: 40 }, (_, nth) => [
        String(nth),
        { class_type: 'Text', inputs: { text: `a text ${nth}` }, _meta: { title: 'a title' } },
      ]),
    );
    for (let nth = 0; nth < 20; nth += 1)
      expect((await clock.until(ask('mallory', '/api/v2/jobs', { workflow }))).status).toBe(201);

    expect((await clock.until(ask('ann', '/jobs'))).status).toBe(200);
    work.isBusy = true;
    let answered = 0;
    const searches = Array.from({ length: 20 }, () => ask('mallory', path).then(() => (answered += 1)));
    await clock.advance(1_000);
    // A search looks at some 1,700 texts; the burst and the second are work of about half a second.
    expect(answered).toBe(0);
    const looked = work.looks;
    expect(looked).toBeLessThan(1_000);
    expect((await clock.until(ask('ann', '/jobs'), 10)).status).toBe(200);
    await clock.until(Promise.all(searches), 24 * 3_600_000);
    expect(work.looks - looked).toBeGreaterThan(20_000);
    await gateway.close();
  },
);

it('T4 short searches of one caller beside another one count as a slice each', async () => {
  const { gateway, clock, ask } = busyGateway();
  expect((await clock.until(ask('ann', '/jobs'))).status).toBe(200);
  let answered = 0;
  const searches = Array.from({ length: 60 }, () =>
    ask('mallory', '/jobs?text=nothing').then(() => (answered += 1)),
  );
  await clock.advance(1_000);
  expect(answered).toBeGreaterThan(20);
  expect(answered).toBeLessThan(35);
  await clock.until(Promise.all(searches));
  await gateway.close();
});
