import type { ServerOptions } from '../../../src/pool.js';

/** What the process of an engine is given. */
export interface EnginePlan {
  readonly port: number;
  readonly slots: number;
  /** Where it writes what it has done, line by line, so that its own end loses none of it. */
  readonly ledger: string;
}

/** A line of the ledger of an engine. */
export type LedgerLine =
  | { readonly promptId: string; readonly mark: string; readonly createdAt: number }
  | { readonly promptId: string; readonly endedAt: number };

/** What the process of a worker over servers is given. */
export interface ServersWorkerPlan {
  readonly redis: string;
  readonly name: string;
  readonly servers: readonly Pick<ServerOptions, 'name' | 'baseUrl' | 'dialect' | 'slots'>[];
  readonly lockMs: number;
}
