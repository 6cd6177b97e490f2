import type { KnownServer } from './look.js';
import type { PoolServer } from '../../../client/pool/pool-types.js';
import type { ServerReport } from './server-report.js';

/** What a queue knows of one of its servers, as a pool tells of its own. */
export interface QueueServer extends PoolServer {
  /** The living workers that bring it. With none, `health` is `down`: another worker has to bring it. */
  readonly workers: readonly string[];
}

/** A server as a program sees it, by the worker that reaches it best. */
export const shownServer = (server: KnownServer): QueueServer => {
  const { name, last, reports, mode, modeReason, awaySince, uses, models, done, failed, lost, lateEnds } =
    server;
  const best = [...reports.values()].toSorted((one, other) => rank(one) - rank(other))[0];
  const { baseUrl = '', tags = [], since = 0, speed = 1, memory } = best ?? last ?? {};
  const reason = modeReason ?? best?.reason ?? (best === undefined ? noWorker : undefined);
  return {
    ...{ name, baseUrl, tags, mode, models, done, failed, lost, lateEnds, speed },
    health: best?.health ?? 'down',
    since: awaySince ?? since,
    ...(reason !== undefined && { reason }),
    slots: Math.min(
      ...[...reports.values()].map(({ slots }) => slots),
      ...(last === undefined ? [] : [last.slots]),
    ),
    ahead: 0,
    running: uses.length,
    waiting: 0,
    ...(memory !== undefined && { memory }),
    workers: [...reports.keys()],
  };
};

const noWorker = 'No worker that brings it lives.';

/** Reports by how well the server is reached. */
const rank = ({ isUp, takes }: ServerReport): number => (takes ? 0 : isUp ? 1 : 2);
