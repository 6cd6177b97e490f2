/** What tabs of one origin have in common. */
export interface PageTabs {
  /** Calls `held` once this tab has the lock, which it keeps until the signal aborts or the tab is gone. */
  readonly lock: (name: string, signal: AbortSignal, held: () => void) => void;
  /** Opens a channel to the other tabs that have it open. */
  readonly channel: (name: string, received: (message: unknown) => void) => PageChannel;
}

/** A channel between tabs; it takes what can be cloned. */
export interface PageChannel {
  readonly post: (message: unknown) => void;
  readonly close: () => void;
}

/** The tabs of the page's origin; undefined if the runtime has no locks or no channels. */
export const tabsOfPage = (): PageTabs | undefined => {
  // Pages without https have no locks, and other runtimes no navigator.
  if (typeof navigator === 'undefined' || !('locks' in navigator)) return undefined;
  if (typeof BroadcastChannel !== 'function') return undefined;
  const { locks } = navigator;
  return {
    lock: (name, signal, held) => {
      const until = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      // An aborted request rejects.
      locks.request(name, { signal }, () => (held(), until)).catch(() => undefined);
    },
    channel: (name, received) => {
      const channel = new BroadcastChannel(name);
      channel.onmessage = ({ data }) => received(data);
      return { post: (message) => channel.postMessage(message), close: () => channel.close() };
    },
  };
};
