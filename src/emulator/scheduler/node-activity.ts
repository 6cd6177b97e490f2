import type { EventData } from '../messages.js';

/** What a job's nodes do beside their steps, as open work of the engine adds it to `progress_state`. */
export interface NodeActivity {
  /** The node begins; one with lazy inputs begins anew, and counts on. */
  readonly begin: (nodeId: string) => void;
  /** Does `work` while the node loads, and sends its state as it begins and ends. */
  readonly whileLoading: (nodeId: string, work: () => Promise<void>) => Promise<void>;
  /** The `seconds` of a node that has finished. */
  readonly secondsOf: (nodeId: string) => EventData;
}

/** What {@link createNodeActivity} works with. */
export interface NodeActivityOptions {
  /** Whether the server has that work; else nothing of it is sent. */
  readonly isSent: boolean;
  /** In milliseconds. */
  readonly now: () => number;
  /** Sends the state of a node that runs, with these members besides. */
  readonly send: (nodeId: string, more: EventData) => void;
}

/** No node has begun. */
export const createNodeActivity = ({ isSent, now, send }: NodeActivityOptions): NodeActivity => {
  const begunAt = new Map<string, number>();
  const loadedMs = new Map<string, number>();
  return {
    begin: (nodeId) => {
      if (!begunAt.has(nodeId)) begunAt.set(nodeId, now());
    },
    whileLoading: async (nodeId, work) => {
      const from = now();
      if (isSent) send(nodeId, { activity: 'loading' });
      await work();
      loadedMs.set(nodeId, (loadedMs.get(nodeId) ?? 0) + now() - from);
      if (isSent) send(nodeId, {});
    },
    secondsOf: (nodeId) => {
      const begun = begunAt.get(nodeId);
      if (!isSent || begun === undefined) return {};
      const loading = loadedMs.get(nodeId);
      return {
        seconds: {
          total: (now() - begun) / 1000,
          ...(loading !== undefined && { loading: loading / 1000 }),
        },
      };
    },
  };
};
