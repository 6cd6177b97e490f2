import type { CliEvent } from '../report/cli-event.js';
import { createGateway, type GatewayOptions } from '../../gateway.js';
import { createServer, type Server } from 'node:http';
import type { ExitName } from '../exit-code.js';
import { firstValueFrom } from 'rxjs';
import { fromAbortSignal } from '../../node.js';
import { listen } from '../listen.js';
import { messageOf } from '../error-message.js';
import { once } from 'node:events';
import type { Session } from '../run-command.js';
import { type StudioFiles, withStudio } from './studio-files.js';
import { toNodeHandler } from '../../gateway-node.js';
import { watchConnections } from './watch-connections.js';

/** Where a gateway listens, and the proxies in front of it. */
export interface ServingFlags {
  readonly port: number;
  readonly host: string;
  readonly trustProxy?: readonly string[];
}

/** What else a gateway serves, and what is said once it listens. */
export interface Serving extends ServingFlags {
  /** The page of the studio. */
  readonly studio?: StudioFiles;
  /** The event that tells the address. */
  readonly announce: (baseUrl: string) => CliEvent;
}

/**
 * Serves a gateway until the command is stopped, and closes it: readers are told to come back, and answers under way end. Where the gateway
 * can't be served, it is closed as well.
 */
export const runGateway = async (
  { report, stop, enterStage }: Pick<Session, 'report' | 'stop' | 'enterStage'>,
  options: GatewayOptions,
  { studio, announce, ...flags }: Serving,
): Promise<ExitName> => {
  await using gateway = createGateway({
    ...options,
    accessLog: ({ ms, ...entry }) => report({ kind: 'request', ms: Math.round(ms), ...entry }),
    onError: (error) =>
      report({
        kind: 'warning',
        message: `a request failed: ${messageOf(error)}`,
      }),
  });
  const served = studio === undefined ? gateway : withStudio(gateway, studio, options.mount);
  const handler = toNodeHandler(served, { trustProxies: flags.trustProxy ?? [] });
  await gateway.ready;
  const listening = createServer(times, handler);
  const connections = watchConnections(listening);
  const { server, address } = await listen(listening, flags);
  enterStage('serve');
  report(announce(address));

  await firstValueFrom(fromAbortSignal(stop), { defaultValue: undefined });
  server.close();
  const late = setTimeout(() => server.closeAllConnections(), longestFarewellMs);
  await gateway.close();
  connections.closeIdle();
  if ((await connectionsOf(server)) > 0) await once(server, 'close');
  clearTimeout(late);
  return 'done';
};

/**
 * An upload that moves may take any time. Load balancers keep connections for 60 seconds, and a request on one that the gateway has just
 * closed would fail.
 */
const times = { requestTimeout: 0, keepAliveTimeout: 75_000, headersTimeout: 80_000 };

/** Readers get the event that tells them to come back, and answers under way this long to end. */
const longestFarewellMs = 5_000;

const connectionsOf = (server: Server): Promise<number> =>
  new Promise((resolve) => server.getConnections((_, count) => resolve(count)));
