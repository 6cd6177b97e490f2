import type { Clock } from './platform.js';
import { realClock } from './clock.js';
import type { PageTabs } from './page-tabs.js';

/** The world of a page that asks a server of its own: a part of a client's platform, so that a page loads less. */
export interface PageWorld {
  /** Sends a request as `fetch` does; `onSent` is told how many bytes of the body have left. */
  readonly send: (url: string, init: RequestInit, onSent?: (bytes: number) => void) => Promise<Response>;
  readonly clock: Clock;
  /** Gives a number from 0 to 1. */
  readonly random: () => number;
  /** Calls the listener when the network or the page may be back, until the function that it returns is called. */
  readonly onWake: (listener: () => void) => () => void;
  /** Calls the listener when the page is frozen or put aside (true) and when it is back (false), likewise. */
  readonly onSleep: (listener: (isAsleep: boolean) => void) => () => void;
  /** Resolves with the other tabs of the origin; undefined if the runtime has no locks or no channels. */
  readonly tabs: () => Promise<PageTabs | undefined>;
}

/** The world of a page, or of a program in which nothing wakes anything. */
export const pageWorld = (fetch: typeof globalThis.fetch | undefined): PageWorld => ({
  send: (url, init, onSent) =>
    // Of a body, `fetch` does not tell how much has left.
    onSent !== undefined && fetch === undefined && typeof XMLHttpRequest === 'function'
      ? import('./send-by-xhr.js').then(({ sendByXhr }) => sendByXhr(url, init, onSent))
      : (fetch ?? globalThis.fetch)(url, init),
  clock: realClock,
  random: Math.random,
  onWake: (listener) => listen(['online', 'visibilitychange'], listener),
  onSleep: (listener) => {
    const stopSleeping = listen(['freeze', 'pagehide'], () => listener(true));
    const stopWaking = listen(['resume', 'pageshow'], () => listener(false));
    return () => {
      stopSleeping();
      stopWaking();
    };
  },
  // Only pages that share a stream load it.
  tabs: () => import('./page-tabs.js').then(({ tabsOfPage }) => tabsOfPage()),
});

/** Listens to events of the page, and of its document on their way down, as not all of them bubble; to none where there is no page. */
const listen = (names: readonly string[], listener: () => void): (() => void) => {
  const page = (globalThis as { readonly window?: EventTarget }).window;
  for (const name of names) page?.addEventListener(name, listener, onTheWayDown);
  return () => {
    for (const name of names) page?.removeEventListener(name, listener, onTheWayDown);
  };
};

/** As an object: the event targets of Node.js remove no listener where this is a boolean. */
const onTheWayDown = { capture: true };
