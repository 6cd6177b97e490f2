import { connect, isIP, type LookupFunction } from 'node:net';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ConnectOptions } from '../../../src/core/platform/node/agents.js';
import { createClient, type Dialect } from '../../../src/node.js';
import { createGateway } from '../../../src/gateway.js';
import { filePorts, toNodeHandler, webhookSender } from '../../../src/gateway-node.js';
import { nodePlatform } from '../../../src/core/platform/node.js';
import { randomOf } from '../../simulation/random.js';

/** A gateway with files that sends webhooks, in a process of its own. Names are public for it, and lead to one loopback port, if to any. */
const [baseUrl = '', wsUrl = '', apiKey = '', dialect = 'local', folder = '', port = '', seed = '1'] =
  process.argv.slice(2);
const random = randomOf(Number(seed), 8);
const publicAddress = '93.184.216.34';
const lookup: LookupFunction = (_, options, callback) => {
  if (options.all === true) callback(null, [{ address: publicAddress, family: 4 }]);
  else callback(null, publicAddress, 4);
};
const closedPort = 1;
const dial = ({ host, lookup: checked }: ConnectOptions) => {
  const target = random.between(1, 20) === 1 ? closedPort : Number(port);
  if (isIP(host) !== 0) return connect(target, '127.0.0.1');
  return connect({
    ...{ host, port: target },
    lookup: (name, options, callback) =>
      checked(name, options, (error) => callback(error, [{ address: '127.0.0.1', family: 4 }])),
  });
};
const client = createClient({ baseUrl, wsUrl, apiKey, dialect: dialect as Dialect });
const gateway = createGateway({
  client,
  authorize: () => ({ name: 'caller' }),
  limits: { streams: 100, requestsPerSecond: 1e9, jobs: 10_000 },
  ...(await filePorts(folder)),
  webhooks: {
    sender: webhookSender(nodePlatform({ lookup, connect: dial })),
    ...{ timeoutMs: 300, retryMs: 20, retryCapMs: 100 },
  },
});
await gateway.ready;
const server = createServer(toNodeHandler(gateway));
server.listen(0, '127.0.0.1', () => {
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.on('disconnect', () => process.exit());
