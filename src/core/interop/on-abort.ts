/**
 * Calls `work` once when a signal fires; the result takes that back. `work` is not called for a signal that fired before.
 *
 * All calls share one listener of the signal: Node warns of a leak at the eleventh listener, and a dozen jobs of a client
 * that share a signal are no leak.
 */
export const onAbort = (signal: AbortSignal | undefined, work: () => void): (() => void) => {
  if (signal === undefined) return () => undefined;
  const listening = listeners.get(signal) ?? listen(signal);
  // Each call is an entry of its own, also for the same work.
  const entry = (): void => work();
  listening.calls.add(entry);
  return () => {
    if (listening.calls.delete(entry) && listening.calls.size === 0) listening.stop();
  };
};

interface Listening {
  readonly calls: Set<() => void>;
  readonly stop: () => void;
}

const listeners = new WeakMap<AbortSignal, Listening>();

const listen = (signal: AbortSignal): Listening => {
  const calls = new Set<() => void>();
  const fire = (): void => {
    stop();
    // One call may take another one back.
    for (const call of calls) {
      calls.delete(call);
      call();
    }
  };
  const stop = (): void => {
    listeners.delete(signal);
    signal.removeEventListener('abort', fire);
  };
  signal.addEventListener('abort', fire, { once: true });
  const listening = { calls, stop };
  listeners.set(signal, listening);
  return listening;
};
