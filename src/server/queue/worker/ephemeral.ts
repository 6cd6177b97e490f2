import type { Client } from '../../../client/client-types.js';
import * as E from '../../../core/protocol/either.js';
import type { RunContext, RunningJob } from './run-context.js';
import { type ServiceError } from '../../../core/errors/errors.js';
import { serviceError } from '../../../core/errors/service-error.js';

/** Why this worker can't run a job so that nothing of it stays at the service; undefined where it can. */
export const ephemeralRefusal = ({
  client,
  deliver,
}: {
  readonly client: Pick<Client, 'submissionIds'>;
  readonly deliver: RunContext['deliver'];
}): ServiceError | undefined => {
  if (deliver === undefined)
    return notEphemeral(
      'The worker has no sink, which an ephemeral job needs: its pictures stand in no file of the service.',
      'Give the workers of the queue a sink, or leave ephemeral out. Nothing was sent.',
    );
  // Submissions with keys are those of API v2.
  if (client.submissionIds === 'keys')
    return notEphemeral(
      'A server of API v2 deletes no records of jobs, so that no job of it is ephemeral.',
      'Leave ephemeral out. Nothing was sent.',
    );
  return undefined;
};

const notEphemeral = (message: string, hint: string): ServiceError =>
  serviceError('NotSupported', { message, hint });

/**
 * Deletes the record of an ephemeral job at the service. The log of the job has its end by then, and the queue its pictures, so that a worker
 * that dies meanwhile loses neither. A record that stays is a warning.
 */
export const deleteRecord = async (
  { held: { id }, context: { client, warn } }: Pick<RunningJob, 'held' | 'context'>,
  promptId: string,
): Promise<void> => {
  const deleted = await client.delete(promptId)();
  if (E.isRight(deleted) || deleted.left._tag === 'NotFound') return;
  warn(`The record of the job ${id} stays at the service as ${promptId}. ${deleted.left.message}`);
};
