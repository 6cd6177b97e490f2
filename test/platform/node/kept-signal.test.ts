import { describe, expect, it } from 'vitest';
import { bodyText } from '../../helpers/body-text.js';
import { countingSignal } from '../../helpers/counting-signal.js';
import { httpClientRequests, nodeRequests } from '../../../src/core/platform/node/requests.js';
import { httpServer, type TestServer } from '../../helpers/http-server.js';

/** Answers whole at `/whole`, half an answer at `/half`, and hangs up at `/cut`. */
const service = (): Promise<TestServer> =>
  httpServer(({ url }, response, { socket }) => {
    if (url === '/cut') socket.destroy();
    else if (url === '/half') response.write('half');
    else response.end('whole');
  });

describe.each([
  ['nodeRequests', 'a call', nodeRequests, {}],
  ['nodeRequests', 'a streamed file', nodeRequests, { streamed: true }],
  ['httpClientRequests', 'a call', httpClientRequests, {}],
] as const)('%s, %s', (_, _kind, sender, kind) => {
  it('listens to a signal that is kept for as long as its request goes on', async () => {
    await using server = await service();
    const { request, close } = sender();
    const { signal, listeners } = countingSignal();
    const ask = (path: string) =>
      request({ method: 'GET', url: server.origin + path, headers: {}, signal, ...kind });

    const half = await ask('/half');
    expect(listeners()).toBe(1);
    half.discard();
    expect(await bodyText(await ask('/whole'))).toBe('whole');
    await expect(ask('/cut')).rejects.toMatchObject({ sent: true });
    await close();
    // A connection takes some turns of the event loop to end, and its request ends with it.
    while (listeners() > 0) await new Promise((resolve) => setImmediate(resolve));
  });
});
