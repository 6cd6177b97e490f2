import { distinctUntilChanged, map, type Observable, skip, tap } from 'rxjs';
import type { Logger } from '../../core/log/logger.js';
import type { PooledServer } from './pool-server.js';

/** Logs whether a server is there, and how many of its jobs are lost. */
export const logServer = ({ name, states }: PooledServer, logger: Logger): Observable<unknown> =>
  states.pipe(
    map(({ health, lost, reason }) => ({ health, lost, reason })),
    distinctUntilChanged((before, now) => before.health === now.health && before.lost === now.lost),
    skip(1),
    tap(({ health, lost, reason }) => {
      const entry = [`Server ${name} is ${health}.`, { server: name, reason, lost }] as const;
      if (health === 'up') logger.info(...entry);
      else logger.warn(...entry);
    }),
  );
