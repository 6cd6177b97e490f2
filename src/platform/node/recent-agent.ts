import { Agent } from 'undici';

/** Connections that are either new or were of use within the last second. */
export interface RecentAgent {
  /** Whether one of its connections may still be open. */
  readonly isWarm: () => boolean;
  /** What to send the next request by. */
  readonly agent: () => Agent;
  /** Notes that an answer came whole. */
  readonly answered: () => void;
  readonly close: () => Promise<void>;
}

/**
 * Keeps connections for requests that must not run twice.
 *
 * A server may close an idle connection at the very moment at which a request is written to it, and then nobody knows
 * whether the request arrived. Servers wait for seconds before they do (5 s with Node.js and uvicorn, 75 s with nginx), so
 * one that served a second ago is as good as a new one. Where nothing was answered for that long, the program may have been
 * too busy to close what was idle, and all begin anew. A `Keep-Alive: timeout=` of the server counts where it is shorter.
 * undici itself never sends a POST again.
 */
export const recentAgent = (options: Agent.Options, now: () => number): RecentAgent => {
  const agents = new Set<Agent>();
  const begin = (): Agent => {
    const agent = new Agent({ ...options, keepAliveTimeout: idleMs, keepAliveMaxTimeout: idleMs });
    agents.add(agent);
    return agent;
  };
  let current = begin();
  let usedAt = now();
  let closed = false;

  const isWarm = (): boolean => now() - usedAt <= idleMs;

  return {
    isWarm,
    agent: () => {
      if (closed || isWarm()) return current;
      const last = current;
      const forget = (): void => void agents.delete(last);
      // What is under way there ends first.
      last.close().then(forget, forget);
      current = begin();
      usedAt = now();
      return current;
    },
    answered: () => {
      usedAt = now();
    },
    close: async () => {
      closed = true;
      await Promise.all([...agents].map((agent) => agent.destroy()));
    },
  };
};

const idleMs = 1000;
