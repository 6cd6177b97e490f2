import { Agent, type ClientRequestArgs } from 'node:http';
import { connect, Socket } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { bodyText } from '../../helpers/body-text.js';
import { httpProxyAgent } from '../../../src/core/platform/node/proxy.js';
import { httpRequests } from '../../../src/core/platform/node/http-requests.js';
import { httpServer } from '../../helpers/http-server.js';
import { proxyServer } from '../../helpers/proxy-server.js';

const get = (url: string) => ({ method: 'GET', url, headers: {} }) as const;

describe('a request by way of a proxy', () => {
  it('has the answer of the service, and the refusal of the proxy in its own words', async () => {
    await using server = await httpServer((_, response) => response.end('there'));
    await using proxy = await proxyServer();
    const { request, close } = httpRequests({ agent: httpProxyAgent(proxy.url) });
    expect(await bodyText(await request(get(`${server.origin}/a`)))).toBe('there');
    expect(proxy.asked.map(({ target }) => target)).toEqual([`${server.origin}/a`]);
    proxy.refusal = 407;
    await expect(request(get(server.origin))).rejects.toMatchObject({
      ...{ code: 'EPROXY', sent: false, message: 'the proxy refuses its user or password (407)' },
    });
    proxy.refusal = 403;
    const refused = await request(get(server.origin));
    expect([refused.status, await bodyText(refused)]).toEqual([403, 'refused by the proxy']);
    await close();
  });
});

it('has the 407 of a service that is asked directly as any other answer', async () => {
  await using server = await httpServer((_, response) => response.writeHead(407).end('no'));
  const { request, close } = httpRequests();
  const answer = await request(get(server.origin));
  expect([answer.status, await bodyText(answer)]).toEqual([407, 'no']);
  await close();
});

it('rejects a body without a length whose connection fails', async () => {
  await using server = await httpServer((_, response) => {
    response.useChunkedEncodingByDefault = false;
    response.write('some');
  });
  /** Opens a connection that the test has at hand. */
  class Held extends Agent {
    connection: Socket | undefined;
    override createConnection({ port, host }: ClientRequestArgs): Socket {
      return (this.connection = connect(Number(port), host ?? ''));
    }
  }
  const agent = new Held();
  const { request, close } = httpRequests({ agent });
  const answer = await request(get(server.origin));
  const failed = Object.assign(new Error('read'), { code: 'ECONNRESET' });
  agent.connection?.destroy(failed);
  await expect(bodyText(answer)).rejects.toMatchObject({ code: 'ECONNRESET', sent: true });
  await close();
});

describe('a connection that does not open', () => {
  /** Gives each request a socket that stays where it is. */
  class Stuck extends Agent {
    override createConnection(): Socket {
      return Object.defineProperty(new Socket(), 'connecting', { value: true });
    }
  }

  it('is given up after ten seconds, when nothing has left', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      let sent = 0;
      const { request, close } = httpRequests({ agent: new Stuck() });
      const asking = request({ ...get('http://service.example'), onSent: () => (sent += 1) });
      const refused = asking.catch((cause: unknown) => cause);
      await new Promise((resolve) => setImmediate(resolve));
      vi.advanceTimersByTime(9_999);
      await new Promise((resolve) => setImmediate(resolve));
      expect(vi.getTimerCount()).toBe(1);
      vi.advanceTimersByTime(1);
      expect(await refused).toMatchObject({
        ...{ code: 'ETIMEDOUT', sent: false, message: 'no connection could be made' },
      });
      expect(sent).toBe(0);
      await close();
    } finally {
      vi.useRealTimers();
    }
  });

  it('leaves no timer where its request is given up before', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const leaving = new AbortController();
      const { request, close } = httpRequests({ agent: new Stuck() });
      const asking = request({ ...get('http://service.example'), signal: leaving.signal });
      const refused = asking.catch((cause: unknown) => cause);
      await new Promise((resolve) => setImmediate(resolve));
      expect(vi.getTimerCount()).toBe(1);
      const reason = new Error('enough');
      leaving.abort(reason);
      expect(await refused).toBe(reason);
      await new Promise((resolve) => setImmediate(resolve));
      expect(vi.getTimerCount()).toBe(0);
      await close();
    } finally {
      vi.useRealTimers();
    }
  });
});
