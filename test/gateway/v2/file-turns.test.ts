import { describe, expect, it } from 'vitest';
import { fileTurns } from '../../../src/server/gateway/v2/file-turns.js';
import { right } from '../../../src/core/protocol/either.js';
import { virtualClock } from '../../../src/testing/virtual-clock.js';
import { createHandler } from '../../../src/server/gateway/http/handler.js';
import { apiRoutes } from '../../../src/server/gateway/routes/api-routes.js';

/** Answers whose bodies give `x` whenever they are asked, and those of them that were begun and left. */
const files = () => {
  const clock = virtualClock();
  const turns = fileTurns(clock);
  const begun: string[] = [];
  const left: string[] = [];
  const make = (name: string) => () => {
    begun.push(name);
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>(
      {
        pull: (controller) => controller.enqueue(new Uint8Array([120])),
        cancel: () => void left.push(name),
      },
      { highWaterMark: 0 },
    );
    return Promise.resolve(new Response(body, { status: 206, headers: { etag: name } }));
  };
  const read = async (caller: string, name: string): Promise<Response> =>
    (await turns.run(caller, make(name))) as Response;
  return { clock, turns, begun, left, read };
};

describe('T4 the files that a caller reads', () => {
  it('are sixteen at once, and further ones wait for their turns; others don’t wait for them', async () => {
    const { begun, read } = files();
    const first = await Promise.all(Array.from({ length: 16 }, (_, nth) => read('ann', String(nth))));
    const waiting = ['a', 'b', 'c'].map((name) => read('ann', name));
    const ofBob = await read('bob', 'of bob');
    expect(begun).toHaveLength(17);
    await ofBob.body?.cancel();
    await first[0]!.body?.cancel();
    expect((await waiting[0]!).headers.get('etag')).toBe('a');
    expect(begun).not.toContain('b');
    const reader = first[1]!.body!.getReader();
    expect((await reader.read()).value).toEqual(new Uint8Array([120]));
    await reader.cancel();
    expect([(await waiting[1]!).status, begun.at(-1)]).toEqual([206, 'b']);
  });

  it('free their turns where their readers take nothing, which are cut, and the service is let go', async () => {
    const { clock, left, read } = files();
    const [answer, ...others] = await Promise.all(
      Array.from({ length: 16 }, (_, nth) => read('ann', String(nth))),
    );
    const reader = answer!.body!.getReader();
    await clock.advance(29_000);
    await reader.read();
    const waiting = read('ann', 'next');
    await clock.advance(2_000);
    expect((await waiting).headers.get('etag')).toBe('next');
    expect(left).toHaveLength(15);
    await reader.read();
    await clock.advance(30_000);
    await expect(reader.read()).rejects.toThrow('The reader took nothing for 30000 ms.');
    await expect(others[0]!.text()).rejects.toThrow('The reader took nothing for 30000 ms.');
    expect(clock.pending()).toBe(0);
  });

  it.each([
    ['a body that ends', () => Promise.resolve(new Response('x'))],
    ['an answer without a body', () => Promise.resolve(new Response(null, { status: 304 }))],
    ['a refusal', () => Promise.resolve({ status: 404, code: 'gone', message: 'It is gone.' })],
    ['a throw', () => Promise.reject(new Error('broken'))],
    [
      'a body that breaks',
      () =>
        Promise.resolve(
          new Response(new ReadableStream({ pull: (controller) => controller.error(new Error('cut')) })),
        ),
    ],
  ])('free their turns after %s', async (_, make) => {
    const { turns } = files();
    for (let nth = 0; nth < 40; nth += 1) {
      const answer = await turns.run('ann', make).catch(() => undefined);
      if (answer instanceof Response) await answer.text().catch(() => undefined);
    }
  });
});

it('T4 a gateway reads files in turns, of outputs and of uploads', async () => {
  const clock = virtualClock();
  let asked = 0;
  const view = () => () => {
    asked += 1;
    const body = (async function* () {
      yield await Promise.resolve(new Uint8Array([1]));
    })();
    const stream = () => new ReadableStream<Uint8Array<ArrayBuffer>>({}, { highWaterMark: 0 });
    return Promise.resolve(
      right({ mediaType: 'image/png', size: 1, body, stream, discard: () => undefined }),
    );
  };
  const record = {
    ...{ id: 'u', owner: 'ann', client: 'default', sizeBytes: 1, contentType: 'image/png', createdAt: 1 },
    stored: { name: 'u.png', subfolder: '', type: 'input' },
  };
  const routes = apiRoutes({
    jobs: {} as never,
    services: { default: { viewUpload: view } } as never,
    assets: { get: () => Promise.resolve(record) } as never,
    ...{ templates: {}, templateStore: {} as never, now: clock.wall, clock },
  });
  const handle = createHandler({
    ...{ routes, clock, tokens: undefined as never, authorize: () => ({ name: 'ann' }) },
  });
  const ask = () => handle(new Request('http://h/api/v2/assets/u/content'));
  const answers = Array.from({ length: 20 }, ask);
  const [first] = await Promise.all(answers.slice(0, 16));
  expect([first!.status, asked]).toEqual([200, 16]);
  await first!.body?.cancel();
  expect((await answers[16]!).status).toBe(200);
  expect(asked).toBe(17);
});
