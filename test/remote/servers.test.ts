import { changeServer } from '../../src/page/remote/change-server.js';
import { createHttpClient } from '../../src/page/remote/http-client.js';
import { createTokens } from '../../src/page/remote/tokens.js';
import { describe, expect, it } from 'vitest';
import type { PageWorld } from '../../src/core/platform/page.js';
import { poolServer } from '../cli/helpers/pool-server.js';
import type { RemoteServer } from '../../src/core/events/remote-server.js';
import { virtualClock } from '../../src/testing/virtual-clock.js';
import { watchServers } from '../../src/page/remote/servers.js';

const named = (name: string): RemoteServer => ({ ...poolServer(), name });
const eventOf = (servers: unknown): string =>
  `${JSON.stringify({ id: '1', event: 'servers', data: { servers } })}\n`;

/** The servers of a gateway that gives these answers one after the other; the last one again and again. */
const watched = (...answers: readonly (() => Response)[]) => {
  const clock = virtualClock();
  const sent: { readonly url: string; readonly headers: unknown; readonly at: number }[] = [];
  const world = {
    ...{ clock, random: () => 0.5, onWake: () => () => undefined },
    send: (url: string, { headers }: RequestInit) => {
      sent.push({ url, headers, at: clock.now() });
      return Promise.resolve((answers[sent.length - 1] ?? answers.at(-1)!)());
    },
  } as unknown as PageWorld;
  const client = createHttpClient(world, () => 'http://h', {}, createTokens(undefined, clock));
  const names: string[][] = [];
  const errors: unknown[] = [];
  const following = watchServers(client, { clock }).subscribe({
    next: (servers) => names.push(servers.map(({ name }) => name)),
    error: (error: unknown) => errors.push(error),
  });
  return { clock, sent, names, errors, following };
};

/** An answer that stays open after these lines. */
const open =
  (...lines: readonly string[]) =>
  () =>
    new Response(
      new ReadableStream({
        start: (controller) => lines.forEach((line) => controller.enqueue(new TextEncoder().encode(line))),
      }),
    );
const over =
  (...lines: readonly string[]) =>
  () =>
    new Response(lines.join(''));
const refused =
  (status: number, headers: Readonly<Record<string, string>> = {}) =>
  () =>
    Response.json({ code: 'refused', detail: 'No.' }, { status, headers });

describe('the servers of a remote', () => {
  it('are those of each event, and no sign of life is one', async () => {
    const { clock, sent, names, following } = watched(
      open(eventOf([named('a')]), '\n', eventOf([named('a'), named('b')]), eventOf([])),
    );
    await clock.advance(10);
    expect(names).toEqual([['a'], ['a', 'b'], []]);
    expect(sent).toMatchObject([
      { url: 'http://h/servers/events', headers: { accept: 'application/x-ndjson' } },
    ]);
    following.unsubscribe();
    await clock.advance(300_000);
    expect(sent).toHaveLength(1);
  });

  it('come again by another connection where one ends, later and later until one of them says something', async () => {
    const { clock, sent, names, errors } = watched(
      refused(503),
      refused(503),
      refused(503),
      over(eventOf([named('a')])),
      refused(503),
      open(),
    );
    await clock.advance(40_000);
    const waits = sent.slice(1).map(({ at }, nth) => at - sent[nth]!.at);
    expect(waits).toHaveLength(5);
    // The wait after the event is as short as the first one, and the next one is the second.
    expect([waits[3], waits[4]]).toEqual([waits[0], waits[1]]);
    expect(waits[2]).toBeGreaterThan(waits[1]!);
    expect(waits[1]).toBeGreaterThan(waits[0]!);
    expect([names, errors]).toEqual([[['a']], []]);
  });

  it('come by another connection after 45 seconds of silence', async () => {
    const { clock, sent } = watched(open(), open());
    await clock.advance(44_999);
    expect(sent).toHaveLength(1);
    await clock.advance(30_000);
    expect(sent).toHaveLength(2);
  });

  it.each([
    ['a caller without the right', refused(403), 'Forbidden'],
    ['an event that is none', open('7\n'), 'Decode'],
    ['an event without servers', open('{"data":{}}\n'), 'Decode'],
    ['servers that are none', open(eventOf([{ ...named('a'), models: 'all' }])), 'Decode'],
    ['servers without health', open(eventOf([{ ...named('a'), health: undefined }])), 'Decode'],
    ['servers without names', open(eventOf([{ ...named('a'), name: 7 }])), 'Decode'],
    ['one server of several that is none', open(eventOf([named('a'), null])), 'Decode'],
  ])('error for %s', async (_, answer, tag) => {
    const { clock, sent, names, errors } = watched(answer);
    await clock.advance(300_000);
    expect(names).toEqual([]);
    expect([errors, sent.length]).toMatchObject([[{ _tag: tag }], 1]);
  });
});

describe('a change of a server', () => {
  it('is asked for by name, and gives the server as it is then', async () => {
    const asked: unknown[] = [];
    let answer: unknown = named('a/b');
    const remote = {
      ask: (question: unknown, read: (given: unknown) => unknown) => {
        asked.push(question);
        return Promise.resolve(read(answer));
      },
    } as unknown as Parameters<typeof changeServer>[0];
    expect(await changeServer(remote, 'a/b', 'drain')).toBe(answer);
    expect(asked).toEqual([{ method: 'POST', path: '/servers/a%2Fb/drain' }]);
    answer = { name: 'a' };
    expect(await changeServer(remote, 'a', 'pause')).toBeUndefined();
  });
});
