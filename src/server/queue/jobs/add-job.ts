import type { AddOptions } from './job-queue.js';
import { checkAdd } from './check-add.js';
import { initialJobState } from '../../../core/state/initial-job-state.js';
import type { OpenQueue } from './open-queue.js';
import { publish } from '../telemetry/channels.js';
import { realClock } from '../../../core/platform/clock.js';
import { roundedInApi } from '../../../core/protocol/rounded-integers.js';
import { serviceError } from '../../../core/errors/service-error.js';
import { uuid } from '../../../core/platform/uuid.js';
import type { Workflow } from '../../../core/protocol/workflow.js';

/**
 * Adds a job with the first event of its log, and a turn to run it; gives the id of the job that has it, which a key may have had before.
 *
 * Once the store has the job it runs, so nothing after that rejects: a turn that could not be added comes from a worker's look at the queue.
 */
export const addJob = async (
  { store, turns, logger }: Pick<OpenQueue, 'store' | 'turns' | 'logger'>,
  queue: string,
  workflow: Workflow,
  options: AddOptions = {},
): Promise<string> => {
  checkAdd(workflow, options);
  const { id = uuid(), delayMs = 0, ...more } = options;
  const startedAt = realClock.wall();
  const rounded = roundedInApi(workflow);
  const state = initialJobState({ workflow, ...(rounded.length > 0 && { problems: rounded }) });
  const events = [{ type: 'submitted', at: startedAt, state }] as const;
  const known = await store.add({ ...more, id, workflow, events, ...(delayMs > 0 && { delayMs }) });
  if (known === undefined) {
    const message = 'The queue drains, and takes no more jobs.';
    throw serviceError('Draining', { message, hint: 'Resume the queue, or use another one.' });
  }
  if (known === id) await turns.add(id, delayMs).catch(() => undefined);
  const about = { queue, jobId: known, tenant: more.tenant ?? '', startedAt };
  publish('promptwire:queue:add', () => ({ ...about, endedAt: realClock.wall() }), logger);
  return known;
};
