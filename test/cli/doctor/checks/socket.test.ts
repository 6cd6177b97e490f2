import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { socketCheck } from '../../../../src/cli/doctor/checks/socket.js';

/** Sockets below any path, until the end of the test; the port, and what each was asked for with. */
const sockets = async (onSocket: (socket: WebSocket) => void, autoPong = true) => {
  const server = createServer().listen(0, '127.0.0.1');
  const all = new WebSocketServer({ server, autoPong });
  const asked: { readonly url: URL; readonly key: unknown }[] = [];
  all.on('connection', (socket, { url, headers }) => {
    asked.push({ url: new URL(String(url), 'http://a'), key: headers['x-api-key'] });
    onSocket(socket);
  });
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of all.clients) socket.terminate();
    server.close();
  });
  return { at: `127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
};
const look = (baseUrl: string, settings: object = {}, patienceMs = 5_000) =>
  socketCheck.look({
    ...{ settings: { baseUrl, ...settings }, url: new URL(baseUrl), patienceMs },
    stop: new AbortController().signal,
  } as never);
const greets = (socket: WebSocket): void => socket.send('{}');

describe('the check of the socket', () => {
  it('is skipped for a dialect without one', async () => {
    expect(await look('http://127.0.0.1:1', { dialect: 'v2' })).toEqual({
      status: 'skipped',
      message: 'API v2 has streams of HTTP, and no socket',
    });
  });

  it('opens it below the address, with an id of its own, and the key as a client sends it', async () => {
    const { at, asked } = await sockets(greets);
    const well = { status: 'ok', message: 'it opens, brings messages and answers pings' };
    expect(await look(`http://${at}/sub/`, { apiKey: 'k' })).toEqual(well);
    expect(await look('http://127.0.0.1:1', { wsUrl: `ws://${at}/own?x=1`, dialect: 'local' })).toEqual(well);
    expect(asked.map(({ url, key }) => [url.pathname, url.searchParams.get('token'), key])).toEqual([
      ['/sub/ws', 'k', 'k'],
      ['/own/ws', null, undefined],
    ]);
    expect(asked[1]?.url.searchParams.get('x')).toBe('1');
    const ids = asked.map(({ url }) => url.searchParams.get('clientId'));
    expect(ids).toEqual([expect.stringMatching(/^[\da-f-]{36}$/u), expect.stringMatching(/^[\da-f-]{36}$/u)]);
    expect(new Set(ids).size).toBe(2);
  });

  it('warns where it brings no message', async () => {
    const { at } = await sockets((socket) => socket.on('ping', () => socket.close()));
    expect(await look(`http://${at}`)).toEqual({
      status: 'warning',
      message: 'it opens and answers pings, and brings no message',
      fix: 'A proxy may hold messages back: look at its buffering.',
    });
  });

  it('says that no ping is answered, and that it does not open', async () => {
    const { at } = await sockets((socket) => {
      greets(socket);
      socket.on('ping', () => socket.close());
    }, false);
    expect(await look(`http://${at}`)).toMatchObject({
      status: 'failed',
      message: "live events don't come: the socket opens, and no ping is answered (it closes)",
    });
    expect(await look('http://127.0.0.1:1')).toMatchObject({
      status: 'failed',
      message: "live events don't come: ECONNREFUSED",
    });
  });
});
