import * as E from 'fp-ts/lib/Either.js';
import { inspect } from 'node:util';
import { createClientOn } from '../src/client/client.js';
import { describe, expect, it } from 'vitest';
import { type FakeAnswer, fakePlatform } from './helpers/fake-platform.js';
import { fileAccess } from '../src/core/files/file-access.js';
import { leaksIn } from './helpers/canary.js';

const baseUrl = 'https://service.example/prefix';
const token = 'gw-9f86d081884c7d65';
const headers = { Authorization: `Bearer ${token}` };
const queue = { queue_running: [], queue_pending: [] };

describe('headers of the user', () => {
  it.each(['cloud', 'local'] as const)(
    'go with calls, submissions, uploads and the handshake, with dialect %s',
    async (dialect) => {
      const platform = fakePlatform(() => ({ body: { prompt_id: 'p', number: 1, name: 'a.png' } }));
      await using client = createClientOn(platform, { baseUrl, dialect, headers });
      client.frames.subscribe();
      await client.rest.queue()();
      await client.rest.submit({ 1: { class_type: 'X', inputs: {} } })();
      await client.rest.uploadImage({ content: new Uint8Array(1), filename: 'a.png' })();
      expect(platform.requests.map(({ url }) => new URL(url).pathname)).toEqual([
        '/prefix/api/queue',
        '/prefix/api/prompt',
        '/prefix/api/upload/image',
      ]);
      for (const request of platform.requests) {
        expect(request.headers).toMatchObject({ authorization: `Bearer ${token}` });
      }
      expect(platform.sockets.map((socket) => socket.headers)).toEqual([
        { authorization: `Bearer ${token}` },
      ]);
    },
  );

  it('go to no signed URL, also of the same origin, and to no further hop', async () => {
    const answers: readonly FakeAnswer[] = [
      { status: 302, headers: { location: '/prefix/files/1?sig=1' } },
      { status: 307, headers: { location: 'https://storage.example/1' } },
      { body: 'picture', headers: { 'content-length': '9' } },
    ];
    const platform = fakePlatform(() => answers[platform.requests.length - 1]!);
    await using client = createClientOn(platform, { baseUrl, apiKey: 'key', headers }, fileAccess);
    expect(E.isRight(await client.rest.view({ filename: 'a.png' })())).toBe(true);
    expect(platform.requests.map((request) => 'authorization' in request.headers)).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('leave the client its own headers, and may replace accept', async () => {
    const platform = fakePlatform(() => ({ body: queue }));
    await using client = createClientOn(platform, { baseUrl, apiKey: 'key', headers: { Accept: 'text/x' } });
    await client.rest.queue()();
    expect(platform.requests[0]?.headers).toEqual({ accept: 'text/x', 'x-api-key': 'key' });
  });

  it('come of a new call of the function at each request, each retry and each handshake', async () => {
    let calls = 0;
    const platform = fakePlatform(() => (platform.requests.length === 1 ? { status: 503 } : { body: queue }));
    await using client = createClientOn(platform, {
      baseUrl,
      headers: () => ({ 'x-call': String((calls += 1)) }),
    });
    expect(calls).toBe(0);
    const answer = client.rest.queue()();
    await platform.clock.advance(5_000);
    expect(E.isRight(await answer)).toBe(true);
    client.frames.subscribe();
    platform.sockets[0]!.end({ code: 1006 });
    await platform.clock.advance(5_000);
    expect([
      ...platform.requests.map((request) => request.headers),
      ...platform.sockets.map((socket) => socket.headers),
    ]).toEqual(
      ['1', '2', '4', '3', '5'].map((call) => expect.objectContaining({ 'x-call': call }) as unknown),
    );
  });

  it('that a function can not give end the call as InvalidConfig, and nothing is sent', async () => {
    const platform = fakePlatform(() => ({ body: queue }));
    await using client = createClientOn(platform, {
      baseUrl,
      headers: () => ({ 'x-a': `${token}\n` + 'b' }),
    });
    const answers = [
      await client.rest.queue()(),
      await client.rest.submit({ 1: { class_type: 'X', inputs: {} } })(),
    ];
    for (const answer of answers) {
      expect(answer).toMatchObject({ left: { _tag: 'InvalidConfig', option: 'headers' } });
      expect(leaksIn(inspect(answer), token)).toEqual([]);
    }
    expect(platform.requests).toEqual([]);
  });

  it('that a function can not give for the first handshake fail the connection, until resume', () => {
    let fails = true;
    const platform = fakePlatform();
    const client = createClientOn(platform, {
      baseUrl,
      headers: () => {
        if (fails) throw new Error('no token yet');
        return headers;
      },
    });
    const states: string[] = [];
    const errors: unknown[] = [];
    client.connection.subscribe(({ _tag }) => states.push(_tag));
    client.frames.subscribe({ error: (error: unknown) => errors.push(error) });
    expect(errors).toMatchObject([{ _tag: 'InvalidConfig', option: 'headers' }]);
    expect([states.at(-1), platform.sockets]).toEqual(['failed', []]);
    fails = false;
    client.resume();
    client.frames.subscribe();
    expect(platform.sockets.map((socket) => socket.headers?.['authorization'])).toEqual([`Bearer ${token}`]);
  });

  it('that a function can not give for a later handshake delay that one', async () => {
    let fails = false;
    const platform = fakePlatform(() => ({ status: 404 }));
    await using client = createClientOn(platform, {
      baseUrl,
      headers: () => {
        if (fails) throw new Error('no token now');
        return headers;
      },
    });
    client.frames.subscribe();
    platform.sockets[0]!.open();
    fails = true;
    platform.sockets[0]!.end({ code: 1006 });
    await platform.clock.advance(2_000);
    expect(platform.sockets).toHaveLength(1);
    fails = false;
    await platform.clock.advance(9_000);
    expect(platform.sockets).toHaveLength(2);
  });
});

describe('the values of headers', () => {
  it('are in no error, no answer and no frame, whole or without their scheme, for a function of them too', async () => {
    for (const given of [headers, () => headers]) {
      const text = `unknown gateway token ${token}`;
      const platform = fakePlatform(() =>
        platform.requests.length === 1
          ? { status: 400, body: { error: { type: 'bad', message: text } } }
          : { body: { queue_running: [], queue_pending: [], more: text } },
      );
      await using client = createClientOn(platform, { baseUrl, headers: given });
      const seen: unknown[] = [client];
      client.frames.subscribe((frame) => seen.push(frame));
      const [socket] = platform.sockets;
      socket!.open();
      socket!.receive({ type: 'executed', data: { prompt_id: 'p', node: '1', output: { text: [text] } } });
      socket!.receive(`{ "broken": "${text}"`);
      seen.push(await client.rest.queue()(), await client.rest.queue()());
      expect(seen).toHaveLength(5);
      expect(seen[1]).toMatchObject({ data: { output: { text: ['unknown gateway token [redacted]'] } } });
      for (const value of seen)
        expect(leaksIn(inspect(value, { depth: 9, showHidden: true }), token)).toEqual([]);
    }
  });

  it('stay redacted for three more sets, and the redacted ones stay bounded', async () => {
    let call = 0;
    const quoted: string[] = [];
    const platform = fakePlatform(({ headers: sent }) => {
      quoted.push(sent['x-turn'] ?? '');
      return { status: 400, body: { error: { type: 'bad', message: quoted.join(' ') } } };
    });
    await using client = createClientOn(platform, {
      baseUrl,
      headers: () => ({ 'x-turn': `turn-number-${'abcdefgh'.charAt((call += 1))}` }),
    });
    const messages: string[] = [];
    for (let turn = 0; turn < 5; turn += 1) {
      const answer = await client.rest.queue()();
      if (E.isLeft(answer)) messages.push(answer.left.message);
    }
    expect(messages[3]).not.toContain('turn-number');
    expect(messages[4]?.match(/turn-number-\w/gu)).toEqual(['turn-number-b']);
  });
});
