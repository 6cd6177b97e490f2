import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { textToImageWorkflow } from '../../../src/emulator.js';
import { call, endless, quick } from '../support.js';
import { listenLocal, openLocal, post, runLocal } from './support.js';

const picture = () => textToImageWorkflow({ width: 64, height: 64, steps: 2 });

describe('a socket of the local server', () => {
  it.each(['/ws', '/api/ws'])('opens at %s without a key, and is told its id first', async (path) => {
    const emulator = await openLocal();
    const listener = await listenLocal(emulator, 'ä &%+', path);
    expect((await listener.until('status')).text).toBe(
      '{"type": "status", "data": {"status": {"exec_info": {"queue_remaining": 0}}, "sid": "\\u00e4 &%+"}}',
    );
  });

  it('gets an id where it brings none, which works as a client id', async () => {
    const emulator = await openLocal();
    const listener = await listenLocal(emulator, '');
    const sid = (await listener.until('status')).data['sid'];
    expect(sid).toMatch(/^[0-9a-f]{32}$/);
    await post(emulator, quick, sid);
    await listener.until('execution_success');
  });

  it('is turned away where it comes from another page', async () => {
    const emulator = await openLocal();
    const foreign = new WebSocket(`${emulator.wsUrl}/ws`, { origin: 'http://localhost:1' });
    const status = await new Promise((resolve) =>
      foreign.once('unexpected-response', (_request, response) => resolve(response.statusCode)),
    );
    expect(status).toBe(403);
    const fetched = await fetch(`${emulator.baseUrl}/queue`, { headers: { origin: 'http://evil.example' } });
    expect([fetched.status, await fetched.text()]).toEqual([403, '']);
    const own = await fetch(`${emulator.baseUrl}/queue`, { headers: { origin: emulator.baseUrl } });
    expect(own.status).toBe(200);
  });

  it('compresses where the client offers it', async () => {
    const emulator = await openLocal();
    const listener = await listenLocal(emulator, 'a');
    expect(listener.socket.extensions).toContain('permessage-deflate');
  });

  it('hears of its own jobs only, and of the queue always', async () => {
    const emulator = await openLocal();
    const [mine, other] = [await listenLocal(emulator, 'mine'), await listenLocal(emulator, 'other')];
    await post(emulator, picture(), 'mine');
    await mine.until('executing', ({ node }) => node === null);
    await other.settle();
    expect(other.types()).toEqual([]);
    expect(other.heard.length).toBeGreaterThan(2);
  });

  it('is chosen by extra_data.client_id as well, and a number matches no socket', async () => {
    const emulator = await openLocal();
    const listener = await listenLocal(emulator, '5');
    await post(emulator, quick, 5);
    await post(emulator, quick, undefined, { extra_data: { client_id: '5' } });
    await listener.until('executing', ({ node }) => node === null);
    expect(listener.types().filter((type) => type === 'execution_start')).toHaveLength(1);
  });

  it('gets progress, plain previews and interruptions of jobs without a client', async () => {
    const emulator = await openLocal();
    const listener = await listenLocal(emulator, 'anyone');
    listener.socket.send('{"type":"feature_flags","data":{"supports_preview_metadata":true}}');
    await listener.until('feature_flags');
    const { body } = await post(emulator, picture());
    await listener.until('status', ({ status }) => JSON.stringify(status).includes(':0'));
    while (
      !JSON.stringify((await call(emulator, 'GET', '/history')).body).includes(String(body['prompt_id']))
    );
    await listener.settle();
    expect(new Set(listener.types())).toEqual(new Set(['feature_flags', 'progress', 'binary:1']));
  });

  it('loses its place to a newer one, which goes deaf once the older one closes', async () => {
    const emulator = await openLocal();
    const older = await listenLocal(emulator, 'same');
    await older.until('status');
    const newer = await listenLocal(emulator, 'same');
    await newer.until('status');
    const before = older.heard.length;
    await post(emulator, quick, 'same');
    await newer.until('executing', ({ node }) => node === null);
    await older.settle();
    expect(older.heard.length).toBe(before);

    const gone = new Promise((resolve) => older.socket.once('close', resolve));
    older.socket.close();
    await gone;
    const heard = newer.heard.length;
    const { promptId } = await runLocal(emulator, quick);
    await post(emulator, quick, 'same');
    await newer.settle();
    expect(promptId).not.toBe('');
    expect(newer.heard.length).toBe(heard);

    const third = await listenLocal(emulator, 'same');
    await post(emulator, quick, 'same');
    await third.until('executing', ({ node }) => node === null);
  });

  it('is reminded of the node that runs, without the job, and gets no replay', async () => {
    const emulator = await openLocal({ speed: 20 });
    const first = await listenLocal(emulator, 'back');
    await post(emulator, endless, 'back');
    await first.until('progress');
    const gone = new Promise((resolve) => first.socket.once('close', resolve));
    first.socket.terminate();
    await gone;
    const again = await listenLocal(emulator, 'back');
    const reminder = await again.until('executing');
    expect(reminder.text).toBe('{"type": "executing", "data": {"node": "1"}}');
    expect(again.heard.slice(0, 2).map(({ type }) => type)).toEqual(['status', 'executing']);
    const stranger = await listenLocal(emulator, 'stranger');
    await stranger.until('status');
    await again.until('progress');
    expect(stranger.types()).toEqual([]);
  });
});

describe('the handshake of the local server', () => {
  const flags = (data: unknown): string => JSON.stringify({ type: 'feature_flags', data });

  it('makes previews come with their job, before progress instead of after it', async () => {
    const emulator = await openLocal();
    const without = await listenLocal(emulator, 'without');
    const withFlags = await listenLocal(emulator, 'with');
    withFlags.socket.send(flags({ supports_preview_metadata: true }));
    expect((await withFlags.until('feature_flags')).text).toContain('"supports_preview_metadata": true');
    await post(emulator, picture(), 'without');
    await without.until('executing', ({ node }) => node === null);
    await post(emulator, textToImageWorkflow({ width: 64, height: 64, steps: 2, seed: 9 }), 'with');
    await withFlags.until('executing', ({ node }) => node === null);
    const around = (types: readonly string[], preview: string): string[] =>
      types.filter((type) => type === 'progress' || type === preview).slice(0, 2);
    expect(around(without.types(), 'binary:1')).toEqual(['progress', 'binary:1']);
    expect(around(withFlags.types(), 'binary:4')).toEqual(['binary:4', 'progress']);
    expect(withFlags.types()).not.toContain('binary:1');
  });

  it('must be the first object, while what is none does not count', async () => {
    const emulator = await openLocal();
    const spoilt = await listenLocal(emulator, 'spoilt');
    for (const text of ['{"type":"hello"}', flags({})]) spoilt.socket.send(text);
    await spoilt.settle();
    expect(spoilt.types()).toEqual([]);
    const fine = await listenLocal(emulator, 'fine');
    for (const text of ['{', '[1]', '"x"', flags({})]) fine.socket.send(text);
    await fine.until('feature_flags');
  });

  it('takes flags that are no object, and then breaks on the first preview', async () => {
    const emulator = await openLocal();
    const listener = await listenLocal(emulator, 'broken');
    listener.socket.send(flags([1]));
    await listener.settle();
    await post(emulator, picture(), 'broken');
    expect((await listener.until('execution_error')).data).toMatchObject({
      exception_type: 'AttributeError',
      node_type: 'KSampler',
    });
    expect(listener.types()).not.toContain('binary:1');
  });
});
