import type { Clock } from '../../core/platform/platform.js';
import type { PoolFiles } from './pool-files.js';
import type { PooledServer } from './pool-server.js';
import type { PoolRules } from './pool-types.js';
import type { RunTimes } from './run-times.js';

/** The servers, the rules and the files that the jobs of a pool share. */
export interface PoolContext {
  readonly clock: Clock;
  readonly uuid: () => string;
  readonly rules: PoolRules;
  readonly servers: ReadonlyMap<string, PooledServer>;
  readonly times: RunTimes;
  /** Notes which server has a job. */
  readonly noteJob: (promptId: string, server: PooledServer) => void;
  readonly files: Pick<PoolFiles, 'bring' | 'forgetRefused'>;
  /** Looks for places for jobs that wait. */
  readonly wake: () => void;
}
