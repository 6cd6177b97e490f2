import { bodyText } from '../helpers/body-text.js';
import { browserPlatform } from '../../src/core/platform/browser.js';
import { browserRequest } from '../../src/core/platform/browser/request.js';
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

it.each([
  ['Node.js', nodePlatform],
  ['Bun', bunPlatform],
])('the platform of %s opens requests and sockets by the agent that it is given', async (_, make) => {
  await using server = await httpServer((_, response) => void response.end('there'));
  const asked: string[] = [];
  const { request, openSocket, close } = make({
    agent: ({ href }) => {
      asked.push(href);
      return undefined;
    },
  });
  await bodyText(await request({ method: 'GET', url: `${server.origin}/a`, headers: {} }));
  await new Promise<unknown>((closed) => {
    const nothing = () => undefined;
    openSocket('ws://127.0.0.1:1/ws', { opened: nothing, message: nothing, alive: nothing, closed });
  });
  expect(asked).toEqual([`${server.origin}/a`, 'ws://127.0.0.1:1/ws']);
  await close();
});

it('the platform of a page has clock, chance and requests of its own, and no disk', () => {
  const { clock, random, uuid, request, openSocket, ...more } = browserPlatform();
  expect([clock === realClock, random === Math.random, request === browserRequest, more]).toEqual([
    ...[true, true, true, {}],
  ]);
  expect([uuid().length, typeof openSocket]).toEqual([36, 'function']);
});
