import { bodyText } from '../helpers/body-text.js';
import { bunPlatform } from '../../src/core/platform/bun.js';
import { expect, it } from 'vitest';
import { httpServer } from '../helpers/http-server.js';
import { nodeFiles } from '../../src/core/platform/node/files.js';
import { nodePlatform } from '../../src/core/platform/node.js';
import { realClock } from '../../src/core/platform/clock.js';

it.each([
  ['Node.js', nodePlatform],
  ['Bun', bunPlatform],
])('the platform of %s has clock, chance, disk and requests, which end with it', async (_, make) => {
  await using server = await httpServer((_, response) => void response.end('there'));
  const { clock, random, uuid, files, request, openSocket, close } = make();
  expect([clock === realClock, files === nodeFiles, random === Math.random]).toEqual([true, true, true]);
  expect([uuid().length, typeof openSocket]).toEqual([36, 'function']);
  const get = { method: 'GET', url: `${server.origin}/`, headers: {} } as const;
  expect(await bodyText(await request(get))).toBe('there');
  await close();
  await expect(request(get)).rejects.toMatchObject({
    code: expect.stringMatching(/^ECLOSED$|_DESTROYED$/u) as string,
  });
});
