import { afterAll, describe, expect, it } from 'vitest';
import type { HttpRequest, HttpResponse } from '../../../src/platform/platform.js';
import { httpServer } from '../../helpers/http-server.js';
import { nodeRequests } from '../../../src/platform/node/requests.js';

const dialled: string[] = [];
const { request, close } = nodeRequests({
  connect: ({ host }) => {
    dialled.push(host);
    throw Object.assign(new Error('not in a test'), { code: 'ECONNREFUSED' });
  },
});
afterAll(close);

const get = (url: string, addressClass?: HttpRequest['addressClass']): HttpRequest => ({
  method: 'GET',
  url,
  headers: {},
  ...(addressClass === undefined ? {} : { addressClass }),
});

const drained = async ({ body }: HttpResponse): Promise<void> => {
  const chunks = body[Symbol.asyncIterator]();
  while ((await chunks.next()).done !== true);
};

describe('a request for one class of addresses', () => {
  it.each([
    ['public', '127.0.0.1'],
    ['public', '10.0.0.1'],
    ['public', '[::ffff:7f00:1]'],
    ['public', '169.254.169.254'],
    ['loopback', '10.0.0.1'],
    ['loopback', '93.184.216.34'],
    ['private', '127.0.0.1'],
    ['private', '169.254.169.254'],
  ] as const)('G3 (%s) never reaches %s', async (addressClass, host) => {
    await expect(request(get(`http://${host}:1/secret`, addressClass))).rejects.toMatchObject({
      code: 'EADDRCLASS',
      sent: false,
      message: expect.not.stringContaining('secret') as string,
    });
    expect(dialled).toEqual([]);
  });

  it('G3 finds this machine by name, where this machine is meant', async () => {
    await using server = await httpServer((_, response) => response.end());
    const own = nodeRequests();
    const url = `http://localhost:${server.port}/`;
    const answer = await own.request(get(url, 'loopback'));
    answer.discard();
    expect(answer.status).toBe(200);
    await expect(own.request(get(url, 'public'))).rejects.toMatchObject({ code: 'EADDRCLASS', sent: false });
    await expect(own.request(get(url, 'private'))).rejects.toMatchObject({ code: 'EADDRCLASS' });
    expect(server.seen).toHaveLength(1);
    await own.close();
  });

  it('G3 never meets a connection that was opened without a look', async () => {
    const ports: (number | undefined)[] = [];
    await using server = await httpServer((_, response, incoming) => {
      ports.push(incoming.socket.remotePort);
      response.end();
    });
    const own = nodeRequests();
    for (const addressClass of [undefined, 'loopback', undefined, 'loopback'] as const) {
      await drained(await own.request(get(server.origin, addressClass)));
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect([ports[0] === ports[2], ports[1] === ports[3], ports[0] === ports[1]]).toEqual([
      true,
      true,
      false,
    ]);
    await own.close();
  });
});
