import { checkQueueOptions } from '../jobs/open-queue.js';
import { notOverServers, slotsOfServersHint } from '../store/queue-kind.js';
import type { QueueWorkerOptions } from '../options.js';
import { serviceError } from '../../../core/errors/service-error.js';

/** Throws `InvalidConfig` for options that no worker can work with. */
export const checkWorkerOptions = (options: QueueWorkerOptions): void => {
  const { client, pool, tier, placement, rules = {} } = options;
  checkQueueOptions(options);
  if ((client === undefined) === (pool === undefined))
    throw invalid(
      'client',
      client === undefined
        ? 'A worker has neither a client nor a pool.'
        : 'A worker has a client and a pool.',
      'Give a client for the queue of an account, or a pool for a queue over servers.',
    );
  if (pool !== undefined && tier !== undefined) throw notOverServers('tier', slotsOfServersHint);
  if (pool !== undefined && countsExternalJobs(options))
    throw notOverServers('countExternalJobs', 'Leave it out, and give such a server fewer slots.');
  if (placement !== undefined && typeof placement !== 'function')
    throw invalid(
      'placement',
      'placement is no function.',
      'Pass earliestEnd, or a function (job, servers) => name.',
    );
  const { rerun, giveUpAfterMs = 0 } = rules;
  if (rerun !== undefined && !['lost', 'never'].includes(rerun))
    throw invalid('rules.rerun', 'rules.rerun is neither lost nor never.', "Give 'lost' or 'never'.");
  if (!(typeof giveUpAfterMs === 'number' && giveUpAfterMs >= 0))
    throw invalid(
      'rules.giveUpAfterMs',
      'rules.giveUpAfterMs is no time.',
      'Give milliseconds from 0, or Infinity.',
    );
};

/** Under either name of the option. */
export const countsExternalJobs = (options: QueueWorkerOptions): boolean =>
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- public for one more minor version
  options.countExternalJobs ?? options.countForeignJobs ?? false;

const invalid = (option: string, message: string, hint: string): Error =>
  serviceError('InvalidConfig', { option, message, hint });
