import { asyncScheduler, type SchedulerLike } from 'rxjs';

/** What the state of the studio needs of the page, so that tests can replace it. */
export interface World {
  /** The clock, and what waits. */
  readonly scheduler: SchedulerLike;
  /** Gives a number from 0 up to 1. */
  readonly random: () => number;
  readonly uuid: () => string;
  /** Kept as long as the tab: the token. */
  readonly tab: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  /** Kept as long as the browser wants: nothing of a caller who signs in. */
  readonly browser: Pick<Storage, 'getItem' | 'setItem'>;
  /** Where the gateway is: the folder of the page. */
  readonly address: string;
  readonly fetch: typeof globalThis.fetch;
}

/** The world of the page that runs. */
export const pageWorld = (): World => ({
  scheduler: asyncScheduler,
  random: () => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32,
  uuid: () => crypto.randomUUID(),
  tab: sessionStorage,
  browser: localStorage,
  address: new URL('.', location.href).href,
  fetch: (...request) => fetch(...request),
});
