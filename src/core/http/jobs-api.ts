import type { HttpConnection } from './connection.js';
import type { Clock } from '../platform/platform.js';
import type { ServiceError } from '../errors/errors.js';

/** A route of the jobs API that not every server has. */
export type JobsRoute = 'job' | 'cancel' | 'list';

/** A server that lacks a route is asked for it again after so long: it may have been replaced by a newer one. */
const againMs = 600_000;

/** Which routes of the jobs API a server has, as far as its answers have shown. */
export interface JobsApi {
  readonly isThere: (route: JobsRoute) => boolean;
  readonly isAbsent: (route: JobsRoute) => boolean;
  readonly note: (route: JobsRoute, is: 'there' | 'absent') => void;
  /**
   * Waits while the first question for a route is under way, and begins it where no caller has asked: true for the one that asks, who has to
   * call `asked` then. So any number of jobs ask a server without the route once.
   */
  readonly first: (route: JobsRoute) => Promise<boolean>;
  readonly asked: (route: JobsRoute) => void;
}

/** Nothing is known of the server yet. */
export const jobsApi = (clock: Pick<Clock, 'now'>): JobsApi => {
  const there = new Set<JobsRoute>();
  const absentUntil = new Map<JobsRoute, number>();
  const asking = new Map<JobsRoute, { readonly done: Promise<void>; readonly end: () => void }>();
  const isAbsent = (route: JobsRoute): boolean => clock.now() < (absentUntil.get(route) ?? -Infinity);

  return {
    isThere: (route) => there.has(route),
    isAbsent,
    note: (route, is) => {
      if (is === 'there') there.add(route);
      else there.delete(route);
      if (is === 'absent') absentUntil.set(route, clock.now() + againMs);
    },
    first: async (route) => {
      for (let one = asking.get(route); one !== undefined; one = asking.get(route)) await one.done;
      if (there.has(route) || isAbsent(route)) return false;
      let end = (): void => undefined;
      const done = new Promise<void>((resolve) => (end = resolve));
      asking.set(route, { done, end });
      return true;
    },
    asked: (route) => {
      const one = asking.get(route);
      asking.delete(route);
      one?.end();
    },
  };
};

/**
 * Whether an error says that the server lacks the route. An engine that has it names what is missing as `error` (docs/protocol.md, L.72), and
 * whatever else stands before an engine has words of its own for a path that it does not know; a cloud service answers both by an object.
 */
export const isRouteAbsent = (
  { status, sample = '' }: ServiceError,
  kind: HttpConnection['dialect']['jobsApi'],
): boolean =>
  status === 405 ||
  status === 501 ||
  (status === 404 && !(kind === 'probed' ? namesError : isObject).test(sample));

const namesError = /^\s*\{\s*"error"\s*:\s*"/u;
const isObject = /^\s*\{/u;
