import * as esbuild from 'esbuild';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { createClient } from '../../../src/node.js';
import { createGateway } from '../../../src/gateway.js';
import { type Emulator, startEmulator, textToImageWorkflow } from '../../../src/emulator.js';
import { join } from 'node:path';
import { once } from 'node:events';
import { toNodeHandler } from '../../../src/gateway-node.js';

/** A gateway and the page that it serves, over HTTP/1.1, and what its connections were. */
export interface PageHost extends AsyncDisposable {
  readonly address: string;
  readonly emulator: Emulator;
  readonly jobs: readonly string[];
  /** Jobs that are over on the service. */
  readonly ended: () => number;
  /** Streams that are open. */
  readonly streams: () => number;
  /** The most connections that carried a request at a time, and the most streams that were more than a passing. */
  readonly most: () => { readonly connections: number; readonly streams: number };
  /** Ends all connections at once. */
  readonly cut: () => void;
  /** The state of a job as the gateway tells it. */
  readonly stateOf: (job: string) => Promise<Readonly<Record<string, unknown>>>;
}

/** Two streams for so long are one that ends and one that begins, in milliseconds. */
const passingMs = 1_000;

/** Submits so many jobs and serves a page that follows them. */
export const hostPage = async (count: number): Promise<PageHost> => {
  const emulator = await startEmulator({ speed: 1, concurrency: 5 });
  const client = createClient(emulator);
  const gateway = createGateway({
    client,
    authorize: () => ({ name: 'visitor' }),
    limits: { jobs: count, requestsPerSecond: 1_000 },
  });
  const relay = toNodeHandler(gateway);
  const jobs: string[] = [];
  const script = await bundled();
  const connections = new Set<Socket>();
  let [streams, maxStreams, mostConnections] = [0, 0, 0];

  const server = createServer((request, response) => {
    connections.add(request.socket);
    request.socket.once('close', () => connections.delete(request.socket));
    mostConnections = Math.max(mostConnections, connections.size);
    if (request.url === '/') {
      const page = `<!doctype html><link rel="icon" href="data:,"><script>jobs = ${JSON.stringify(jobs)}</script>`;
      response.setHeader('content-type', 'text/html').end(`${page}<script type="module">${script}</script>`);
      return;
    }
    if (request.url?.startsWith('/events') === true) {
      streams += 1;
      // A page that begins anew closes one connection and opens another: which of the two comes first is not its affair.
      setTimeout(() => (maxStreams = Math.max(maxStreams, streams)), passingMs).unref();
      response.once('close', () => (streams -= 1));
    }
    void relay(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const submit = async (seed: number): Promise<string> => {
    const response = await gateway.fetch(
      new Request(`${address}/api/v2/jobs`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ workflow: textToImageWorkflow({ seed, steps: 12, width: 64, height: 64 }) }),
      }),
    );
    return String(((await response.json()) as { readonly id?: unknown }).id);
  };
  for (let seed = 0; seed < count; seed += 1) jobs.push(await submit(seed));

  return {
    address: `${address}/`,
    emulator,
    jobs,
    ended: () => emulator.ledger.jobs.filter(({ state }) => state === 'completed').length,
    streams: () => streams,
    most: () => ({ connections: mostConnections, streams: maxStreams }),
    cut: () => server.closeAllConnections(),
    stateOf: async (job) => {
      const response = await gateway.fetch(new Request(`${address}/jobs/${job}`));
      return (await response.json()) as Readonly<Record<string, unknown>>;
    },
    [Symbol.asyncDispose]: async () => {
      await gateway.close();
      server.closeAllConnections();
      server.close();
      await client.close();
      await emulator.close();
    },
  };
};

const bundled = async (): Promise<string> => {
  const { outputFiles } = await esbuild.build({
    entryPoints: [join(import.meta.dirname, 'watching-page.ts')],
    ...{ bundle: true, write: false, format: 'esm', platform: 'browser', minify: true },
  });
  return outputFiles[0]!.text;
};
