import { afterEach, describe, expect, it, vi } from 'vitest';
import { browserRequest } from '../../../src/core/platform/browser/request.js';
import type { HttpRequest, TransportFailure } from '../../../src/core/platform/platform.js';
import { httpServer, sendJson } from '../../helpers/http-server.js';
import { causeOf } from '../../helpers/cause-of.js';
import { bodyText } from '../../helpers/body-text.js';

const get = (url: string, more: Partial<HttpRequest> = {}): HttpRequest => ({
  method: 'GET',
  url,
  headers: {},
  ...more,
});

/** Replaces `fetch` by one answer and keeps what it was asked. */
const stubFetch = (answer: () => Response | Promise<Response>) => {
  const asked: { readonly url: string; readonly init: RequestInit }[] = [];
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    asked.push({ url, init });
    return Promise.resolve(answer());
  });
  return asked;
};

describe('browserRequest', () => {
  it.each([
    ['of another origin says CORS, and what to set', 'https://service.example/api/queue', true],
    ['of its own origin says nothing of CORS', 'https://page.example/api/queue', false],
  ])('a failure %s', async (_, url, isCors) => {
    vi.stubGlobal('location', { origin: 'https://page.example' });
    stubFetch(() => Promise.reject(new TypeError('Failed to fetch')));
    const problem = (await causeOf(browserRequest(get(url)))) as TransportFailure;
    expect(problem).toMatchObject({ code: 'EFETCH', sent: true });
    expect(/CORS.*--enable-cors-header.*proxy/u.test(problem.message)).toBe(isCors);
  });

  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it('sends JSON and forms, and reads the answer', async () => {
    await using server = await httpServer((_, response) => sendJson(response, 200, { ok: 1 }));
    let sent = 0;
    const post: HttpRequest = {
      ...get(server.origin),
      method: 'POST',
      headers: { 'x-api-key': 'k' },
      json: '{"a":1}',
    };
    const response = await browserRequest({ ...post, onSent: () => (sent += 1) });
    expect([response.status, await bodyText(response), sent]).toEqual([200, '{"ok":1}', 1]);
    const form = [
      { name: 'image', filename: 'a.png', content: new Blob(['x']) },
      { name: 'type', value: 'input' },
    ];
    await bodyText(await browserRequest({ ...get(server.origin), method: 'POST', form }));
    const [first, second] = server.seen;
    expect([first?.headers['x-api-key'], first?.body.toString()]).toEqual(['k', '{"a":1}']);
    expect(second?.body.toString()).toMatch(/name="image"; filename="a.png"[^]*name="type"\r\n\r\ninput/u);
  });

  it('H9 asks without cookies, referrer, cache and redirects, and without a header that pages may not set', async () => {
    const asked = stubFetch(() => new Response('x'));
    await bodyText(
      await browserRequest(
        get('https://x.example/', { headers: { accept: '*/*', 'accept-encoding': 'identity' } }),
      ),
    );
    expect(asked[0]?.init).toMatchObject({
      headers: { accept: '*/*' },
      redirect: 'manual',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      cache: 'no-store',
    });
    expect(asked[0]?.init.headers).not.toHaveProperty('accept-encoding');
  });

  it('tells no length of a body that fetch has decoded', async () => {
    stubFetch(
      () => new Response('decoded', { headers: { 'content-encoding': 'gzip', 'content-length': '3' } }),
    );
    const response = await browserRequest(get('https://x.example/'));
    expect(Object.keys(response.headers)).toEqual(['content-type']);
    expect(await bodyText(response)).toBe('decoded');
  });

  it('G20 gives a hidden redirect status 0 and no body', async () => {
    stubFetch(() => Response.error());
    const response = await browserRequest(get('https://x.example/'));
    expect([response.status, await bodyText(response)]).toEqual([0, '']);
    response.discard();
  });

  it('counts a failed fetch as sent and quotes nothing of it', async () => {
    stubFetch(() => Promise.reject(new TypeError('Failed to fetch https://x.example/?token=secret')));
    const cause = await causeOf(browserRequest(get('https://x.example/?token=secret')));
    expect(cause).toMatchObject({ code: 'EFETCH', sent: true });
    expect(String(cause)).not.toContain('secret');
  });

  it('rejects a body that is cut', async () => {
    await using server = await httpServer((_, response, request) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('some', () => request.socket.destroy());
    });
    const cause = await causeOf(browserRequest(get(server.origin)).then(bodyText));
    expect(cause).toMatchObject({ code: 'EFETCH', sent: true });
  });

  it('rejects with the reason of its signal', async () => {
    const reason = new Error('enough');
    let sent = 0;
    const early = { signal: AbortSignal.abort(reason), onSent: () => (sent += 1) };
    expect(await causeOf(browserRequest(get('http://127.0.0.1:9', early)))).toBe(reason);
    expect(sent).toBe(0);
    await using server = await httpServer(() => undefined);
    const controller = new AbortController();
    server.server.once('request', () => controller.abort(reason));
    expect(await causeOf(browserRequest(get(server.origin, { signal: controller.signal })))).toBe(reason);
  });

  it('gives the connection up when the body is discarded', async () => {
    let free = (): void => undefined;
    const gone = new Promise<void>((resolve) => (free = resolve));
    await using server = await httpServer((_, response, request) => {
      request.socket.once('close', () => free());
      response.writeHead(200).write('x');
    });
    (await browserRequest(get(server.origin))).discard();
    await gone;
  });
});
