import { count, epochMs, object, words } from './shapes.js';
import * as t from 'io-ts';

const texts = t.readonlyArray(t.string);

/** A server behind the gateway. */
export const server = object(
  'Server',
  {
    ...{ name: t.string, baseUrl: t.string, tags: texts, since: epochMs },
    health: words('unknown', 'up', 'down', 'refusing', 'trusted later'),
    mode: words('active', 'paused', 'draining'),
    ...{ slots: count, ahead: count, running: count, waiting: count },
    ...{ done: count, failed: count, lost: count, lateEnds: count },
    ...{ models: texts, speed: t.number },
  },
  {
    ...{ reason: t.string, memory: t.type({ total: count, free: count }, 'Memory'), workers: texts },
    capabilities: t.type({ able: count, lacks: texts }, 'Capabilities'),
  },
);

/** The servers behind the gateway. */
export const servers = t.type({ servers: t.readonlyArray(server) }, 'Servers');

/** One event of the stream of servers. */
export const serversEvent = t.type(
  { id: t.string, event: t.literal('servers'), data: servers },
  'ServersEvent',
);
