import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { createGateway } from '../../../src/gateway.js';
import { toNodeHandler } from '../../../src/gateway-node.js';
import { createClient, type Dialect } from '../../../src/node.js';
import { type Resources, watchResources } from '../sizes/resources.js';

/** What a gateway says of itself. */
export interface GatewayLoad {
  /** By how much its memory grew, in MiB. */
  readonly peakMiB: number;
  /** The readers whose socket takes nothing more. */
  readonly blocked: number;
}

/** A gateway in a process of its own: it answers `watch` once it watches its memory, and `load` with a {@link GatewayLoad}. */
const [baseUrl = '', wsUrl = '', apiKey = '', dialect = 'cloud'] = process.argv.slice(2);
const client = createClient({
  ...{ baseUrl, apiKey, dialect: dialect as Dialect, keptFrames: { jobBytes: 0 } },
  ...(wsUrl !== '' && { wsUrl }),
});
const gateway = createGateway({
  client,
  authorize: () => ({ name: 'reader' }),
  limits: { streams: 5_000, requestsPerSecond: 1e9, jobs: 1_000 },
});
await gateway.ready;

let watched: Resources | undefined;
const sockets = new Set<Socket>();
const loadOf = (resources: Resources): GatewayLoad => ({
  peakMiB: resources.peakMiB(),
  blocked: [...sockets].filter(({ writableNeedDrain }) => writableNeedDrain).length,
});
process.on('message', (question) => {
  if (question === 'watch') watched = watchResources();
  process.send?.(question === 'load' && watched !== undefined ? loadOf(watched) : 'watching');
});
const server = createServer(toNodeHandler(gateway)).on('connection', (socket) => {
  sockets.add(socket);
  socket.once('close', () => sockets.delete(socket));
});
server.listen(0, '127.0.0.1', 4_096, () => {
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.on('disconnect', () => process.exit());
