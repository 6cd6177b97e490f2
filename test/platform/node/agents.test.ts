import { afterAll, describe, expect, it } from 'vitest';
import type { HttpRequest, HttpResponse } from '../../../src/core/platform/platform.js';
import { httpServer } from '../../helpers/http-server.js';
import { Agent, request as ask } from 'node:http';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { Agent as HttpsAgent } from 'node:https';
import type { LookupAddress } from 'node:dns';
import { agentFor, nodeAgents, readAgent } from '../../../src/core/platform/node/agents.js';
import { nodeRequests } from '../../../src/core/platform/node/requests.js';

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

/** What the look-up for a class makes of what the system's gives: the addresses, or the code of its refusal. */
const lookedUp = (
  addressClass: NonNullable<HttpRequest['addressClass']>,
  found: string | readonly string[],
  failure: NodeJS.ErrnoException | null = null,
): Promise<readonly unknown[]> =>
  new Promise((resolve) => {
    const { routeFor } = nodeAgents({
      agent: new Agent(),
      lookup: (_, __, callback) => {
        const all = (one: string): LookupAddress => ({ address: one, family: one.includes(':') ? 6 : 4 });
        callback(failure, typeof found === 'string' ? found : found.map(all), 4);
      },
    });
    const { lookup } = routeFor(
      get('https://files.example/', addressClass),
      new URL('https://files.example/'),
    );
    lookup?.('files.example', { all: typeof found !== 'string' }, (error, addresses, family) =>
      resolve([error?.code ?? null, addresses, family]),
    );
  });

describe('the look-up for one class of addresses', () => {
  const v4 = { address: '8.8.8.8', family: 4 };
  const zoned = { address: 'fd00::1%eth0', family: 6 };

  it('G3 gives what it was given where all addresses are of the class', async () => {
    expect(await lookedUp('public', ['8.8.8.8'])).toEqual([null, [v4], 4]);
    expect(await lookedUp('public', '8.8.8.8')).toEqual([null, '8.8.8.8', 4]);
    expect(await lookedUp('private', ['fd00::1%eth0'])).toEqual([null, [zoned], 4]);
  });

  it.each([
    ['a private address behind a public one', ['8.8.8.8', '10.0.0.1']],
    ['a public address behind a private one', ['10.0.0.1', '8.8.8.8']],
    ['this machine behind a public one', ['2606:4700::1', '::1']],
    ['what is no address', ['8.8.8.8', 'files.example']],
  ])('G3 refuses a name with %s', async (_, found) => {
    expect(await lookedUp('public', found)).toEqual(['EADDRCLASS', [], 0]);
  });

  it('G3 refuses a single address of another class', async () => {
    expect(await lookedUp('public', '10.0.0.1')).toEqual(['EADDRCLASS', '', 0]);
  });

  it('passes the failure of a look-up on', async () => {
    const failure = Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
    expect(await lookedUp('public', ['8.8.8.8'], failure)).toEqual(['ENOTFOUND', [v4], 4]);
  });
});

describe('nodeAgents', () => {
  const classes = [undefined, 'public', 'loopback', 'private'] as const;

  it('has agents of its own for each class, and for each protocol', () => {
    const { routeFor } = nodeAgents();
    const agents = ['http://a.example/', 'https://a.example/'].flatMap((url) =>
      classes.map((addressClass) => routeFor(get(url, addressClass), new URL(url)).agent),
    );
    expect(new Set(agents).size).toBe(8);
    expect(agents.map((agent) => agent instanceof HttpsAgent)).toEqual([
      ...[false, false, false, false],
      ...[true, true, true, true],
    ]);
  });

  it('takes the agent of the user, with a look-up where the class matters', () => {
    const agent = new Agent();
    const { routeFor } = nodeAgents({ agent });
    const [any, ...ofClass] = classes.map((addressClass) =>
      routeFor(get('http://a.example/', addressClass), new URL('http://a.example/')),
    );
    expect(any).toEqual({ agent });
    for (const route of ofClass) {
      expect(route).toEqual({ agent, lookup: expect.any(Function) as unknown });
    }
  });

  it('asks the function of the user without the query, which may hold a key', () => {
    const agent = new Agent();
    const asked: string[] = [];
    const choose = ({ href }: URL): Agent => {
      asked.push(href);
      return agent;
    };
    expect(agentFor(choose, new URL('https://a.example/x?token=k'))).toBe(agent);
    expect(asked).toEqual(['https://a.example/x']);
    expect(agentFor(agent, new URL('https://a.example/'))).toBe(agent);
    expect(agentFor(undefined, new URL('https://a.example/'))).toBeUndefined();
  });

  it('ends with its connections, idle ones as well', async () => {
    await using server = await httpServer((_, response) => response.end('x'));
    const { routeFor, destroy } = nodeAgents();
    const { agent } = routeFor(get(server.origin), new URL(server.origin));
    const socket = await new Promise<Socket>((resolve) => {
      const asking = ask(server.origin, { agent }, (response) => response.resume());
      asking.on('socket', resolve);
      asking.end();
    });
    await once(socket, 'free');
    expect(socket.closed).toBe(false);
    await destroy();
    expect(socket.closed).toBe(true);
  });
});

describe('the option agent', () => {
  it.each([
    ['nothing', undefined, undefined],
    ['no agent', {}, undefined],
  ])('is left out in %s', (_, options, expected) => expect(readAgent(options)).toBe(expected));

  it('takes an agent of any class, or a function', () => {
    const agents = [new Agent(), { addRequest: () => undefined }, () => undefined];
    for (const agent of agents) expect(readAgent({ agent })).toBe(agent);
  });

  it.each([
    ['a text', { agent: 'http://proxy:3128' }],
    ['null', { agent: null }],
    ['an object that opens nothing', { agent: {} }],
    ['one whose addRequest is no function', { agent: { addRequest: true } }],
  ])('refuses %s', (_, options) => {
    expect(() => readAgent(options)).toThrow(
      expect.objectContaining({
        _tag: 'InvalidConfig',
        option: 'agent',
        hint: expect.stringContaining('proxyAgent') as string,
      }),
    );
  });

  it.each(['WebSocket', 'platform'])('refuses an agent beside %s, which would go around it', (name) => {
    expect(() => readAgent({ agent: new Agent(), [name]: {} })).toThrow(
      expect.objectContaining({
        option: 'agent',
        hint: expect.stringContaining('defaultPlatform') as string,
      }),
    );
  });
});
