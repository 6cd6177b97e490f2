import type { Client } from 'promptwire';
import type { Clock } from '../platform/platform.js';
import { isLeft } from '../protocol/either.js';
import { uuid } from '../platform/uuid.js';

/** How long an answer about the service counts: probes of a load balancer reach the service no more often. */
const validMs = 5_000;

/** Longer than a service under load needs, shorter than a load balancer waits. */
const withinMs = 4_000;

/** Asks whether each of the services answers; asks again after five seconds at the earliest. */
export const readinessOf = (
  clients: readonly Client[],
  clock: Pick<Clock, 'now'>,
): (() => Promise<boolean>) => {
  let known: { readonly at: number; readonly answer: Promise<boolean> } | undefined;
  return () => {
    if (known === undefined || clock.now() - known.at >= validMs) {
      const answer = Promise.all(clients.map(isReachable)).then((all) => all.every(Boolean));
      known = { at: clock.now(), answer };
    }
    return known.answer;
  };
};

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
