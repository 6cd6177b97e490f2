import { agentOf, credentials, reason } from '../ask.js';
import { type Check, failed, ok, skipped, warning } from '../finding.js';
import { once } from 'node:events';
import { randomUUID } from 'node:crypto';
import { WebSocket } from 'ws';

/** Whether live events come: the upgrade, a first message, and a ping with its answer. */
export const socketCheck: Check = {
  name: 'socket',
  needs: ['key'],
  exit: 'network',
  look: async ({ settings, url, stop, patienceMs }) => {
    const { dialect, wsUrl, apiKey } = settings;
    if (dialect === 'v2') return skipped('API v2 has streams of HTTP, and no socket');
    const base = new URL(wsUrl ?? url);
    base.pathname = `${base.pathname.replace(/\/$/u, '')}/ws`;
    base.searchParams.set('clientId', randomUUID());
    if (apiKey !== undefined) base.searchParams.set('token', apiKey);
    const until = (): { readonly signal: AbortSignal } => ({
      signal: AbortSignal.any([stop, AbortSignal.timeout(patienceMs)]),
    });
    const asHttp = new URL(base.href.replace(/^ws/u, 'http'));
    const socket = new WebSocket(base, { agent: agentOf(settings, asHttp), headers: credentials(settings) });
    try {
      const closed = once(socket, 'close', until()).then(() => {
        throw new Error('it closes');
      });
      closed.catch(() => undefined);
      const first = Promise.race([once(socket, 'message', until()), closed]).then(
        () => true,
        () => false,
      );
      await once(socket, 'open', until());
      socket.ping();
      await Promise.race([once(socket, 'pong', until()), closed]).catch((error: unknown) => {
        throw new Error(`the socket opens, and no ping is answered (${reason(error)})`);
      });
      return (await first)
        ? ok('it opens, brings messages and answers pings')
        : warning(
            'it opens and answers pings, and brings no message',
            'A proxy may hold messages back: look at its buffering.',
          );
    } catch (error) {
      return failed(
        `live events don't come: ${reason(error)}`,
        'Let the proxy before the service pass upgrades (Upgrade and Connection headers, /ws); jobs are polled meanwhile.',
      );
    } finally {
      socket.on('error', () => undefined);
      socket.terminate();
    }
  },
};
