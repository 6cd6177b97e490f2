import type { Client } from '../../client/client-types.js';
import type { Clock } from '../../core/platform/platform.js';
import { catchError, defer, firstValueFrom, map, of, race } from 'rxjs';
import type { GatewayQueue } from './upstream/queue-upstream.js';
import { isLeft } from '../../core/protocol/either.js';
import { timerOn } from '../../core/platform/timer.js';
import { uuid } from '../../core/platform/uuid.js';

/** How long an answer about the service counts: probes of a load balancer reach the service no more often. */
const validMs = 5_000;

/** Longer than a service under load needs, shorter than a load balancer waits. */
const withinMs = 4_000;

/** Asks whether each of the services and the queue answer; asks again after five seconds at the earliest. */
export const readinessOf = (
  clients: readonly Client[],
  queue: Pick<GatewayQueue, 'stats'> | undefined,
  clock: Clock,
): (() => Promise<boolean>) => {
  let known: { readonly at: number; readonly answer: Promise<boolean> } | undefined;
  return () => {
    if (known === undefined || clock.now() - known.at >= validMs) {
      const answer = Promise.all([...clients.map(isReachable), answersOf(queue, clock)]).then((all) =>
        all.every(Boolean),
      );
      known = { at: clock.now(), answer };
    }
    return known.answer;
  };
};

const answersOf = (queue: Pick<GatewayQueue, 'stats'> | undefined, clock: Clock): Promise<boolean> =>
  firstValueFrom(
    race(
      defer(() => Promise.resolve(queue?.stats())).pipe(
        map(() => true),
        catchError(() => of(false)),
      ),
      timerOn(clock, withinMs).pipe(map(() => false)),
    ),
    { defaultValue: false },
  );

/** Asks for a job that does not exist, as every service answers that; a service that refuses the gateway's key is of no use. */
const isReachable = async ({ rest }: Client): Promise<boolean> => {
  const answer = await rest.jobStatus(uuid(), { timeoutMs: withinMs })();
  return !isLeft(answer) || !unreachable.has(answer.left._tag);
};

const unreachable: ReadonlySet<string> = new Set([
  'Network',
  'Timeout',
  'ServerError',
  'Closed',
  'Draining',
  'Unauthorized',
  'Forbidden',
]);
