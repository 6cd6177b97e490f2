import type { PageTabs } from '../../src/core/platform/page-tabs.js';

/** Locks and channels of the tabs of one browser: one tab has a lock at a time, and messages come later, as clones. */
export const playedTabs = (): PageTabs => {
  const waiting = new Map<string, (() => void)[]>();
  const channels = new Map<string, Set<(message: unknown) => void>>();

  const next = (name: string): void => {
    const [first] = waiting.get(name) ?? [];
    if (first !== undefined) queueMicrotask(first);
  };
  return {
    lock: (name, signal, held) => {
      const queue = waiting.get(name) ?? [];
      waiting.set(name, queue);
      const begin = (): void => {
        if (!signal.aborted) held();
      };
      queue.push(begin);
      if (queue.length === 1) next(name);
      signal.addEventListener('abort', () => {
        const isFirst = queue[0] === begin;
        queue.splice(queue.indexOf(begin), 1);
        if (isFirst) next(name);
      });
    },
    channel: (name, received) => {
      const all = channels.get(name) ?? new Set();
      channels.set(name, all.add(received));
      return {
        post: (message) => {
          const clone: unknown = structuredClone(message);
          for (const other of all)
            if (other !== received) queueMicrotask(() => all.has(other) && other(clone));
        },
        close: () => void all.delete(received),
      };
    },
  };
};
