import { type CheckAnswer, describedBy } from './described.js';
import { bearerTokens, createGateway, type GatewayOptions } from '../../../src/gateway.js';
import { createClient } from '../../../src/node.js';
import { createServer } from 'node:http';
import { exampleTemplates } from '../../../src/examples.js';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { startEmulator } from '../../../src/emulator.js';
import { toNodeHandler } from '../../../src/gateway-node.js';

/** A gateway on a loopback port that compares each of its answers with its description. */
export interface CheckedGateway extends AsyncDisposable {
  readonly address: string;
  readonly token: string;
  /** As it was asked: `GET /jobs 200`. */
  readonly seen: readonly string[];
  /** What the description lacks of the answers so far; resolves once their bodies have ended. */
  readonly problems: () => Promise<readonly string[]>;
}

/** Starts one over an emulator that plays without delays. */
export const checkedGateway = async (options: Partial<GatewayOptions> = {}): Promise<CheckedGateway> => {
  const token = 'a-token-of-the-test';
  const emulator = await startEmulator({ dialect: 'local', speed: Infinity });
  const client = createClient(emulator);
  const gateway = createGateway({
    ...{ client, authorize: bearerTokens({ ann: token }), templates: exampleTemplates() },
    ...options,
  });
  const document = await gateway.fetch(new Request('http://127.0.0.1/openapi.json'));
  const check: CheckAnswer = describedBy((await document.json()) as object);
  const seen: string[] = [];
  const checks: Promise<string | undefined>[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    const response = await gateway.fetch(request);
    const { status } = response;
    seen.push(`${request.method} ${pathname} ${status}`);
    const contentType = response.headers.get('content-type');
    const isShown = response.body === null || /json/u.test(contentType ?? '');
    const text = isShown ? response.clone().text() : Promise.resolve('');
    checks.push(text.then((body) => check(request.method, pathname, { status, contentType, text: body })));
    return response;
  };
  const server = createServer(toNodeHandler({ ...gateway, fetch })).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    ...{ token, seen, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` },
    problems: async () => (await Promise.all(checks)).filter((problem) => problem !== undefined),
    [Symbol.asyncDispose]: async () => {
      await gateway.close();
      server.closeAllConnections();
      server.close();
      await client.close();
      await emulator.close();
    },
  };
};
