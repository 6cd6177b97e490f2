import {
  asyncScheduler,
  distinctUntilChanged,
  fromEvent,
  map,
  type Observable,
  type SchedulerLike,
  startWith,
} from 'rxjs';

/** The page around the studio: its clock, storages, address and requests. Tests replace it. */
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
  /** Whether a person sees the page, now and after each change: a hidden tab keeps no connection open for what only a person looks at. */
  readonly seen: Observable<boolean>;
  /** Whether the gateway says that it has servers. */
  readonly hasServers: boolean;
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
  seen: fromEvent(document, 'visibilitychange').pipe(
    startWith(undefined),
    map(() => document.visibilityState === 'visible'),
    distinctUntilChanged(),
  ),
  hasServers: document.querySelector('meta[name=promptwire-servers]') !== null,
  address: new URL('.', location.href).href,
  fetch: (...request) => fetch(...request),
});
