import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import type { Random } from '../../simulation/random.js';
import { text } from 'node:stream/consumers';

/** A try of a message, as it arrived at its target. */
export interface Arrived {
  readonly id: string;
  readonly timestamp: string;
  readonly signature: string;
  readonly body: string;
  /** Whether the target answered that it has it, in time. */
  readonly isAccepted: boolean;
}

/** A target of webhooks that fails in many ways. */
export interface WebhookTarget extends AsyncDisposable {
  readonly port: number;
  readonly arrived: readonly Arrived[];
  /** Redirects that were followed. */
  readonly followed: () => number;
}

type Fault = 'none' | 'refusal' | 'limit' | 'redirect' | 'cut' | 'silence' | 'delay';

/** Fails a part of all tries, each message a few times at most. */
export const openTarget = async (random: Random): Promise<WebhookTarget> => {
  const arrived: Arrived[] = [];
  const failures = new Map<string, number>();
  let followed = 0;

  const faultOf = (id: string): Fault => {
    const before = failures.get(id) ?? 0;
    const fault: Fault =
      before >= 3 || random.between(1, 3) > 1
        ? 'none'
        : random.pick(['refusal', 'limit', 'redirect', 'cut', 'silence', 'delay'] as const);
    if (fault !== 'none') failures.set(id, before + 1);
    return fault;
  };
  const server = createServer((request, response) => {
    void text(request).then(
      (body) => {
        const header = (name: string): string => String(request.headers[`webhook-${name}`]);
        const id = header('id');
        if (request.url !== '/in') followed += 1;
        const fault = faultOf(id);
        const isAccepted = fault === 'none' || fault === 'delay';
        const [timestamp, signature] = [header('timestamp'), header('signature')];
        arrived.push({ id, timestamp, signature, body, isAccepted });
        const answer = (status: number, headers = {}): void => void response.writeHead(status, headers).end();
        switch (fault) {
          case 'none': {
            answer(204);
            return;
          }
          case 'refusal': {
            answer(500);
            return;
          }
          case 'limit': {
            answer(429, { 'retry-after': '1' });
            return;
          }
          case 'redirect': {
            answer(307, { location: '/elsewhere' });
            return;
          }
          case 'cut':
            request.socket.destroy();
            return;
          case 'silence':
            return;
          case 'delay':
            setTimeout(() => answer(200), 50);
        }
      },
      // The gateway was killed while it sent.
      () => undefined,
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    arrived,
    followed: () => followed,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
