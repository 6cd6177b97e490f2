import { createHash } from 'node:crypto';
import { get } from 'node:http';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { startEmulator, virtualClock } from '../../src/emulator.js';
import { hostileNames } from '../helpers/hostile-names.js';
import { call, ended, listen, open, quick, runToEnd, submit } from './support.js';
import { runs } from '../helpers/runs.js';

const statusFor = (address: string, headers: Record<string, string>): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    get(address, { headers, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).on('error', reject);
  });

describe('an emulator', () => {
  it('L1: serves its own machine only in API v2, with or without the older interface', async () => {
    for (const v1Routes of [false, true]) {
      const emulator = await open({ dialect: 'v2', switches: { v1Routes, anonymous: true } });
      for (const path of ['/api/v2/jobs/none', '/api/v2/jobs/none/events', '/api/queue']) {
        expect(await statusFor(emulator.baseUrl + path, { host: 'rebound.example' })).toBe(403);
        expect(await statusFor(emulator.baseUrl + path, { origin: 'https://page.example' })).toBe(403);
      }
      expect(await statusFor(`${emulator.storageUrl}/signed/x`, { host: 'rebound.example' })).toBe(403);
    }
  });

  it.each(['cloud', 'local'] as const)(
    'L1: serves its own machine only, under its own names (%s)',
    async (dialect) => {
      const emulator = await open({ dialect });
      const address = `${emulator.baseUrl}/api/queue`;
      const own = { 'x-api-key': emulator.apiKey };
      expect(await statusFor(address, own)).toBe(200);
      expect(await statusFor(address, { ...own, host: 'rebound.example' })).toBe(403);
      expect(await statusFor(address, { ...own, origin: 'https://page.example' })).toBe(403);
      const socket = new WebSocket(`${emulator.wsUrl}/ws?token=${emulator.apiKey}`, {
        origin: 'https://page.example',
      });
      const refused = await new Promise((resolve) =>
        socket.once('unexpected-response', (_, { statusCode }) => resolve(statusCode)),
      );
      expect(refused).toBe(403);
      if (dialect === 'cloud')
        expect(await statusFor(`${emulator.storageUrl}/signed/x`, { host: 'rebound.example' })).toBe(403);
    },
  );

  it('L2: reads and writes no file of its machine, for any file name', async () => {
    const emulator = await open();
    const names = [...hostileNames.filter((_, index) => index % 40 === 0), '../../etc/passwd', '/etc/passwd'];
    for (const filename of names) {
      const query = new URLSearchParams({ filename, type: 'output', subfolder: '../../../etc' }).toString();
      expect([400, 404]).toContain((await call(emulator, 'GET', `/api/view?${query}`)).status);
      const form = new FormData();
      form.set('image', new Blob([new Uint8Array([1, 2, 3])]), filename);
      const { status, body } = await call(emulator, 'POST', '/api/upload/image', form);
      if (status === 200) expect(body['name']).toMatch(/^[\da-f]{64}[^/\\]*$/u);
      else expect(status).toBe(400);
    }
  });

  it('L3: shares nothing with fifty others', async () => {
    const emulators = await Promise.all(Array.from({ length: 50 }, (_, seed) => open({ seed })));
    const ids = await Promise.all(emulators.map(async (one) => (await runToEnd(one, quick)).promptId));
    expect(new Set(ids).size).toBe(50);
    for (const [place, { ledger }] of emulators.entries())
      expect(ledger.jobs.map(({ promptId }) => promptId)).toEqual([ids[place]]);
  });

  it('L5: refuses a key that it was not given, and keeps nothing of it', async () => {
    const emulator = await open();
    const real = 'comfyui-a-real-key';
    expect((await call(emulator, 'GET', '/api/user', undefined, { 'x-api-key': real })).status).toBe(401);
    await expect(listen(emulator, { token: real })).rejects.toThrow('401');
    expect(JSON.stringify(emulator.ledger)).not.toContain(real);
    expect(JSON.stringify(emulator.requests)).toContain('unknown-key');
  });

  it('L7: tells the same story to ten reruns of a seed, a hundred in all runs, and another one to another seed', async () => {
    const stories = new Set<string>();
    for (let rerun = 0; rerun < runs(100); rerun += 1) stories.add(await storyOf(7));
    expect(stories.size).toBe(1);
    stories.add(await storyOf(8));
    expect(stories.size).toBe(2);
  });
});

/** A hash of everything that a socket heard of one job, and of the ledger after it. */
const storyOf = async (seed: number): Promise<string> => {
  await using emulator = await startEmulator({ seed, clock: virtualClock(), speed: Infinity });
  const listener = await listen(emulator);
  await listener.until('status');
  const promptId = await submit(emulator, quick);
  await ended(listener, promptId);
  listener.socket.terminate();
  const heard = listener.heard.map(({ type, data, bytes }) => [type, data, bytes?.toString('hex')]);
  return createHash('sha1')
    .update(JSON.stringify([heard, emulator.ledger.jobs]))
    .digest('hex');
};
