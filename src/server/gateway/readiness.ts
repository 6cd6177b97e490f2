import type { Clock } from '../../core/platform/platform.js';
import { answerWithin } from '../../core/platform/answer-within.js';
import type { GatewayQueue } from './services/gateway-queue.js';
import type { GatewayService } from './services/gateway-service.js';
import type { JobIndex } from '../joblog/job-index.js';

/** Whether a gateway can take work. */
export interface Readiness {
  /** Why it can't; undefined if it can. */
  readonly fault: 'closing' | 'service' | 'storage' | undefined;
  /** How many records could not be read. */
  readonly damaged: number;
}

/** What a gateway depends on to take work. */
export interface ReadinessOptions {
  readonly services: readonly Pick<GatewayService, 'isReachable'>[];
  readonly queue: Pick<GatewayQueue, 'stats'> | undefined;
  readonly index: Pick<JobIndex, 'probe' | 'damaged'> | undefined;
  readonly clock: Clock;
}

/** How long an answer about the service is reused, in milliseconds: probes of a load balancer reach the service no more often. */
const validMs = 5_000;

/** Longer than a service under load needs, shorter than a load balancer waits. */
const withinMs = 4_000;

/** Asks whether each of the services, the queue and the index answer; asks again after five seconds at the earliest. */
export const readinessOf = ({
  services,
  queue,
  index,
  clock,
}: ReadinessOptions): (() => Promise<Readiness>) => {
  let known: { readonly at: number; readonly answer: Promise<Readiness> } | undefined;
  const answers = (ask: () => Promise<unknown>): Promise<boolean> =>
    answerWithin(clock, withinMs, () => ask().then(() => true), false);
  const ask = async (): Promise<Readiness> => {
    let damaged = 0;
    const count = (more = 0): void => void (damaged += more);
    const store = async (): Promise<void> => {
      const [, stats] = await Promise.all([index?.probe?.(), queue?.stats()]);
      count(await index?.damaged?.());
      count(stats?.damaged);
      if (stats?.refused !== undefined) throw new Error(stats.refused);
    };
    const [canStore, ...serve] = await Promise.all([
      answers(store),
      ...services.map(({ isReachable }) => isReachable(withinMs)),
    ]);
    const fault = !canStore ? 'storage' : serve.every(Boolean) ? undefined : 'service';
    return { fault, damaged };
  };
  return () => {
    if (known === undefined || clock.now() - known.at >= validMs) known = { at: clock.now(), answer: ask() };
    return known.answer;
  };
};
