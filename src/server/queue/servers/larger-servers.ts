import type { AskedWork } from './asked-work.js';
import type { KnownServer } from './queue-snapshot.js';
import { verdictOf } from './verdict.js';

/**
 * The servers that may run a job for which one had too little memory: those that are there, can run it, and have more, where that is known.
 * `others` are all that have not: pure.
 */
export const largerThan = (
  server: string,
  asked: AskedWork,
  servers: ReadonlyMap<string, KnownServer>,
): { readonly larger: readonly string[]; readonly others: readonly string[] } => {
  const all = [...servers.values()];
  const memory = memoryOf(servers.get(server)) ?? Infinity;
  const hasMore = all.filter((other) => (memoryOf(other) ?? 0) > memory);
  return {
    larger: hasMore
      .filter((other) => ['able', 'unknown'].includes(verdictOf(other, asked, {})))
      .map(({ name }) => name),
    others: all.filter((other) => !hasMore.includes(other)).map(({ name }) => name),
  };
};

const memoryOf = (server: KnownServer | undefined): number | undefined =>
  server === undefined
    ? undefined
    : ([...server.reports.values()].find(({ memory }) => memory !== undefined) ?? server.last)?.memory?.total;
