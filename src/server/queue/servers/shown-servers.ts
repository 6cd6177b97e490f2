import { capabilitiesOf } from '../../../core/state/server-capabilities.js';
import type { KnownServer } from './queue-snapshot.js';
import type { PoolServer } from '../../../core/state/pool-server.js';
import type { ServerReport } from './server-report.js';

/** What a queue knows of one of its servers, as a pool tells of its own. */
export interface QueueServer extends PoolServer {
  /** The living workers that bring it. With none, `health` is `down`: another worker has to bring it. */
  readonly workers: readonly string[];
}

/** A server as a program sees it, by the worker that reaches it best. */
export const shownServer = (server: KnownServer): QueueServer => {
  const { name, last, reports, mode, awaySince, uses, models, done, failed, lost, lateEnds } = server;
  const best = [...reports.values()].toSorted((one, other) => rank(one) - rank(other))[0];
  const { baseUrl, tags, since, speed, memory, slots } = best ?? last ?? nothingKnown;
  const reason = reasonOf(server, best);
  const capabilities = capabilitiesOf(Object.values(best?.can ?? {}));
  return {
    ...{ name, baseUrl, tags, mode, models, done, failed, lost, lateEnds, speed },
    health: best?.health ?? 'down',
    since: awaySince ?? since,
    ...(reason !== undefined && { reason }),
    slots: Math.min(slots, ...[...reports.values()].map((one) => one.slots)),
    ...{ ahead: 0, running: uses.length, waiting: 0, workers: [...reports.keys()] },
    ...(capabilities !== undefined && { capabilities }),
    ...(memory !== undefined && { memory }),
  };
};

const nothingKnown: Pick<ServerReport, 'baseUrl' | 'tags' | 'since' | 'speed' | 'slots' | 'memory'> = {
  ...{ baseUrl: '', tags: [], since: 0, speed: 1, slots: 1 },
};

const reasonOf = ({ modeReason }: KnownServer, best: ServerReport | undefined): string | undefined =>
  modeReason ?? (best === undefined ? 'No worker that brings it lives.' : best.reason);

/** Reports by how well the server is reached. */
const rank = ({ isUp, takes }: ServerReport): number => (takes ? 0 : isUp ? 1 : 2);
