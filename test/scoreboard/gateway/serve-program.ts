import { readFileSync } from 'node:fs';
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

/** A gateway in a process of its own: it answers `watch` once it watches its memory, `load` with a {@link GatewayLoad}, `turns`
   once it measures the turns of its event loop, and `longest turn` with the longest one. */
const [baseUrl = '', wsUrl = '', apiKey = '', dialect = 'cloud'] = process.argv.slice(2);
const client = createClient({
  ...{ baseUrl, apiKey, dialect: dialect as Dialect, keptFrames: { jobBytes: 0 } },
  ...(wsUrl !== '' && { wsUrl }),
});
const gateway = createGateway({
  client,
  authorize: () => ({ name: 'reader' }),
  limits: { streams: 5_000, requestsPerSecond: 1e9, jobs: 1_000, keptBytes: 2 ** 30 },
});
await gateway.ready;

/** Milliseconds of the processor that this thread has used: other programs of a busy machine take nothing of them, nor do other threads. */
const usedMs = (): number => {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6;
  } catch {
    // Elsewhere than on Linux those of all threads.
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  }
};

/** The longest turn so far, in milliseconds of the processor. */
let longestTurnMs = 0;
let usedBefore = 0;
const measure = (): void => {
  const used = usedMs();
  longestTurnMs = Math.max(longestTurnMs, used - usedBefore);
  usedBefore = used;
};

let watched: Resources | undefined;
const sockets = new Set<Socket>();
const loadOf = (resources: Resources): GatewayLoad => ({
  peakMiB: resources.peakMiB(),
  blocked: [...sockets].filter(({ writableNeedDrain }) => writableNeedDrain).length,
});
process.on('message', (question) => {
  if (question === 'watch') watched = watchResources();
  if (question === 'turns') {
    longestTurnMs = 0;
    usedBefore = usedMs();
    setInterval(measure, 1);
  }
  if (question === 'longest turn') {
    process.send?.(longestTurnMs);
    return;
  }
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
