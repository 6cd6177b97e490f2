/** An `AbortSignal` that knows how many listen to it. */
export interface CountingSignal {
  readonly signal: AbortSignal;
  readonly abort: (reason?: unknown) => void;
  readonly listeners: () => number;
}

export const countingSignal = (): CountingSignal => {
  const controller = new AbortController();
  const { signal } = controller;
  const listening = new Set<unknown>();
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);

  signal.addEventListener = (...args: Parameters<typeof add>): void => {
    listening.add(args[1]);
    add(...args);
  };
  signal.removeEventListener = (...args: Parameters<typeof remove>): void => {
    listening.delete(args[1]);
    remove(...args);
  };
  return { signal, abort: (reason) => controller.abort(reason), listeners: () => listening.size };
};
