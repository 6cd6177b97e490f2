import { callError } from '../../core/errors/call-error.js';
import { defer, type Observable } from 'rxjs';
import { type HttpClient, mayHelp, type ReadAnswer } from './http-client.js';
import { isJsonObject } from '../../core/protocol/json/json.js';
import { isServer } from './change-server.js';
import { readBy } from './read-answer.js';
import { readLines } from './read-lines.js';
import type { PageWorld } from '../../core/platform/page.js';
import type { RemoteServer } from '../../core/events/remote-server.js';

/** A gateway gives a sign of life every 15 seconds. */
const silenceMs = 45_000;

/** The servers behind the gateway, now and after each change, by a connection of its own that comes back by itself. */
export const watchServers = (
  { request, delayOf }: HttpClient,
  { clock }: Pick<PageWorld, 'clock'>,
): Observable<readonly RemoteServer[]> =>
  defer(() => {
    let failures = 0;
    const read: ReadAnswer<readonly RemoteServer[]> = async ({ body }, next) => {
      const line = (text: string): void => {
        const servers = readBy(readServers, text);
        failures = 0;
        next(servers);
      };
      await readLines(body, { clock, silenceMs, line });
      throw callError('Network', { code: 'ENDED', sent: true, message: 'The stream of servers ended.' });
    };
    const headers = { accept: 'application/x-ndjson' };
    return request({ path: '/servers/events', headers }, read, {
      retryDelay: (error) => {
        if (!mayHelp(error)) return undefined;
        failures += 1;
        return delayOf(error, failures - 1);
      },
    });
  });

const readServers = (event: unknown): readonly RemoteServer[] | undefined => {
  const data = isJsonObject(event) && isJsonObject(event['data']) ? event['data'] : {};
  const { servers } = data;
  return Array.isArray(servers) && servers.every(isServer) ? servers : undefined;
};
