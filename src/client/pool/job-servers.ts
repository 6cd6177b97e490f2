import {
  defer,
  EMPTY,
  filter,
  from,
  map,
  mergeMap,
  type Observable,
  of,
  repeat,
  take,
  throwIfEmpty,
} from 'rxjs';
import type { Clock } from '../../core/platform/platform.js';
import * as E from '../../core/protocol/either.js';
import type { PooledServer } from './pool-server.js';
import { serviceError } from '../../core/errors/service-error.js';
import { timerOn } from '../../core/platform/timer.js';

/** Which server has which job. */
export interface JobServers {
  readonly note: (promptId: string, server: PooledServer) => void;
  /** The server of a job: the one that is noted, else the one that says that it knows the job. Errors with `NotFound` where none does. */
  readonly find: (promptId: string) => Observable<PooledServer>;
}

/** Notes the last 10,000 jobs; of others all servers are asked, and those that are unreachable again until they answer. */
export const jobServers = (
  servers: ReadonlyMap<string, PooledServer>,
  clock: Pick<Clock, 'after'>,
): JobServers => {
  const noted = new Map<string, PooledServer>();
  const note = (promptId: string, server: PooledServer): void => {
    noted.delete(promptId);
    noted.set(promptId, server);
    const [oldest] = noted.keys();
    if (noted.size > maxNoted && oldest !== undefined) noted.delete(oldest);
  };

  const ask = (promptId: string, server: PooledServer): Observable<Answer> =>
    defer(() => from(server.client.rest.jobStatus(promptId)())).pipe(
      map((answer): Answer => {
        if (E.isRight(answer)) return { server, knows: true };
        return { server, knows: answer.left._tag === 'NotFound' ? false : undefined };
      }),
    );
  /** Asks all that have not answered yet, and again those that are unreachable. */
  const search = (promptId: string): Observable<PooledServer> => {
    const answered = new Set<PooledServer>();
    const round = defer(() => from([...servers.values()].filter((server) => !answered.has(server)))).pipe(
      mergeMap((server) => ask(promptId, server), maxAtOnce),
      map((answer) => {
        if (answer.knows === false) answered.add(answer.server);
        return answer;
      }),
    );
    const goesOn = (): Observable<unknown> =>
      [...servers.values()].every((server) => answered.has(server)) ? EMPTY : timerOn(clock, againMs);
    return round.pipe(
      repeat({ delay: goesOn }),
      filter(({ knows }) => knows === true),
      map(({ server }) => server),
      take(1),
      throwIfEmpty(() =>
        serviceError('NotFound', { promptId, message: 'No server of the pool knows this job.' }),
      ),
    );
  };

  return {
    note,
    find: (promptId) =>
      defer(() => {
        const server = noted.get(promptId);
        if (server !== undefined && servers.get(server.name) === server) return of(server);
        return search(promptId).pipe(
          map((found) => {
            note(promptId, found);
            return found;
          }),
        );
      }),
  };
};

interface Answer {
  readonly server: PooledServer;
  /** Undefined if it gave no answer. */
  readonly knows: boolean | undefined;
}

const maxNoted = 10_000;
const maxAtOnce = 16;
const againMs = 2_000;
