import { call, listen, open } from '../support.js';
import { describe, expect, it } from 'vitest';
import { get } from 'node:http';
import { WebSocket } from 'ws';

/** Sends a request line that no client would make. */
const rawStatus = (baseUrl: string, path: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(baseUrl);
    get({ hostname, port, path, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).on('error', reject);
  });

describe('authentication', () => {
  it('refuses a missing and an unknown key with 401 and a code', async () => {
    const emulator = await open();
    const missing = await call(emulator, 'GET', '/api/user', undefined, {});
    const unknown = await call(emulator, 'GET', '/api/user', undefined, { 'x-api-key': 'unknown' });
    expect([missing.status, unknown.status]).toEqual([401, 401]);
    expect(missing.body).toEqual({ code: 'UNAUTHORIZED', message: expect.any(String) as string });
  });

  it('refuses the socket of an unknown key at the handshake', async () => {
    await expect(listen(await open(), { token: 'unknown' })).rejects.toThrow('401');
  });

  it('closes that socket after opening where the switch says so', async () => {
    const emulator = await open({ switches: { badToken: 'close' } });
    const socket = new WebSocket(`${emulator.wsUrl}/ws?clientId=a&token=unknown`);
    expect(await new Promise((resolve) => socket.once('close', resolve))).toBe(1008);
  });

  it('lets the free tier in, or refuses it by switch', async () => {
    const runs = await open({ tier: 'free' });
    const refused = await open({ tier: 'free', switches: { freeTier: '403' } });
    expect((await call(runs, 'GET', '/api/object_info')).status).toBe(200);
    expect((await call(refused, 'GET', '/api/object_info')).status).toBe(403);
    await expect(listen(refused)).rejects.toThrow('403');
  });

  it('L6: has nothing at bare paths, and says so of other methods', async () => {
    const emulator = await open();
    expect((await call(emulator, 'GET', '/user')).status).toBe(404);
    expect((await call(emulator, 'GET', '/api/nothing')).body['code']).toBe('NOT_FOUND');
    expect((await call(emulator, 'DELETE', '/api/user')).status).toBe(405);
    expect(await rawStatus(emulator.baseUrl, '//')).toBe(404);
    await expect(listen({ ...emulator, wsUrl: `${emulator.wsUrl}/api` })).rejects.toThrow('404');
  });
});
