import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { WebSocketServer } from 'ws';
import { bareSocket } from '../../benchmarks/baseline/bare-socket.js';
import { rxjsWebSocket } from '../../benchmarks/baseline/rxjs-web-socket.js';
import { promptwireSocket } from '../../benchmarks/tools/promptwire-socket.js';
import type { ListeningWay } from '../../benchmarks/tools/way.js';
import { previewBytes, progressText, promptIdOf } from '../../benchmarks/tools/wire.js';
import type { Frame } from '../../src/node.js';

const messages = [progressText(promptIdOf(0), 1), previewBytes(100), progressText(promptIdOf(1), 2)];

/** What a way hands to its subscriber. */
const heard = async (way: ListeningWay): Promise<readonly unknown[]> => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const values: unknown[] = [];
  let all = (): void => undefined;
  const complete = new Promise<void>((resolve) => (all = resolve));
  const origin = `127.0.0.1:${port}/way`;
  const { close } = await way(
    { name: 'way', port, baseUrl: `http://${origin}`, wsUrl: `ws://${origin}/ws` },
    (value) => {
      if (values.push(value) === messages.length) all();
    },
  );
  for (const socket of server.clients) for (const message of messages) socket.send(message);
  await complete;
  await close();
  for (const socket of server.clients) socket.terminate();
  await new Promise((resolve) => server.close(resolve));
  return values;
};

describe('the baselines of the socket benchmark', () => {
  it.each([
    ['bare ws', bareSocket],
    ['rxjs/webSocket', rxjsWebSocket],
  ])('hand the same values to their subscriber: %s', async (_, way) => {
    const ours = (await heard(promptwireSocket)).map((value) => {
      const frame = value as Frame;
      return frame._tag === 'Event' ? { type: frame.type, data: frame.data } : frame;
    });
    expect(await heard(way)).toEqual(ours);
    expect(ours).toHaveLength(messages.length);
  });
});
