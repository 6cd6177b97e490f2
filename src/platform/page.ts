import type { Clock } from './platform.js';
import { realClock } from './clock.js';
import { sendByXhr } from './send-by-xhr.js';

/** What a page that asks a server of its own needs of the world: less than a client's platform, so that a page loads less. */
export interface PageWorld {
  /** Sends a request as `fetch` does; `onSent` is told how many bytes of the body have left. */
  readonly send: (url: string, init: RequestInit, onSent?: (bytes: number) => void) => Promise<Response>;
  readonly clock: Clock;
  /** Gives a number from 0 to 1. */
  readonly random: () => number;
  /** Calls the listener when the network or the page may be back, until the function that it returns is called. */
  readonly onWake: (listener: () => void) => () => void;
}

/** The world of a page, or of a program in which nothing wakes anything. */
export const pageWorld = (fetch: typeof globalThis.fetch | undefined): PageWorld => ({
  send: (url, init, onSent) =>
    // Of a body, `fetch` does not tell how much has left.
    onSent !== undefined && fetch === undefined && typeof XMLHttpRequest === 'function'
      ? sendByXhr(url, init, onSent)
      : (fetch ?? globalThis.fetch)(url, init),
  clock: realClock,
  random: Math.random,
  onWake: (listener) => {
    if (typeof document === 'undefined') return () => undefined;
    const wakes = [
      [window, 'online'],
      [window, 'pageshow'],
      [document, 'visibilitychange'],
      [document, 'resume'],
    ] as const;
    for (const [target, name] of wakes) target.addEventListener(name, listener);
    return () => {
      for (const [target, name] of wakes) target.removeEventListener(name, listener);
    };
  },
});
