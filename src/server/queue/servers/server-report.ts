import { isJsonObject } from '../../../core/protocol/json/json.js';
import type { PoolServer } from '../../../core/state/pool-server.js';

/** What one worker says of one server that it brings, for all workers. */
export interface ServerReport extends Pick<PoolServer, 'baseUrl' | 'health' | 'since' | 'slots' | 'speed'> {
  /** Whether the worker reaches it. */
  readonly isUp: boolean;
  /** Whether it gets further jobs by this worker. */
  readonly takes: boolean;
  readonly tags: readonly string[];
  readonly reason?: string;
  readonly memory?: { readonly total: number; readonly free: number };
  /** Whether the worker has jobs that this server lost submitted again. */
  readonly rerunsLost: boolean;
  /** By kind of work: an empty text if the server can run it, else why not. */
  readonly can: Readonly<Record<string, string>>;
  /** The shapes of work that failed there just now: other servers are preferred for such jobs. */
  readonly failing: readonly string[];
}

/** Restores the reports of a worker, by server; leaves out those that can't be read. */
export const readReports = (text: string): ReadonlyMap<string, ServerReport> => {
  const all = parsed(text);
  return new Map(
    Object.entries(isJsonObject(all) ? all : {}).flatMap(([server, facts]) =>
      isJsonObject(facts) ? [[server, readFacts(facts)] as const] : [],
    ),
  );
};

/** Restores one report. Lua writes an empty list as an object. */
export const readReport = (text: string): ServerReport | undefined => {
  const facts = parsed(text);
  return isJsonObject(facts) ? readFacts(facts) : undefined;
};

const readFacts = (facts: object): ServerReport => {
  const { tags, can, failing, ...rest } = facts as ServerReport;
  return {
    ...rest,
    tags: Array.isArray(tags) ? tags : [],
    can: Array.isArray(can) ? {} : can,
    failing: Array.isArray(failing) ? failing : [],
  };
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};
