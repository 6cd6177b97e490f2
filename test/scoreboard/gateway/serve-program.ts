import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createGateway } from '../../../src/gateway/index.js';
import { toNodeHandler } from '../../../src/gateway/node/index.js';
import { createClient, type Dialect } from '../../../src/node.js';
import { type Resources, watchResources } from '../sizes/resources.js';

/** A gateway in a process of its own: it answers `watch` once it watches its memory, and `peak` with the MiB by which that grew. */
const [baseUrl = '', wsUrl = '', apiKey = '', dialect = 'cloud'] = process.argv.slice(2);
const client = createClient({
  ...{ baseUrl, apiKey, dialect: dialect as Dialect },
  ...(wsUrl !== '' && { wsUrl }),
});
const gateway = createGateway({
  client,
  authorize: () => ({ name: 'reader' }),
  limits: { streams: 5_000, requestsPerSecond: 1e9, jobs: 1_000 },
});
await gateway.ready;

let watched: Resources | undefined;
process.on('message', (question) => {
  if (question === 'watch') watched = watchResources();
  process.send?.(question === 'peak' ? watched?.peakMiB() : 'watching');
});
const server = createServer(toNodeHandler(gateway));
server.listen(0, '127.0.0.1', 4_096, () => {
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.on('disconnect', () => process.exit());
