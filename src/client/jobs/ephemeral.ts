import type { DialectStrategy } from '../dialects/dialect.js';
import * as E from '../../core/protocol/either.js';
import { checkedEphemeral } from '../../workflow/edit/checked-ephemeral.js';
import type { EphemeralWorkflow } from '../../workflow/edit/ephemeral-workflow.js';
import { fromTaskEither } from '../../core/interop/from-task-either.js';
import { isTerminal, type JobState } from '../../core/state/job-state.js';
import type { JobContext } from './job-context.js';
import { catchError, map, type Observable, of } from 'rxjs';
import type { ServiceError } from '../../core/errors/errors.js';
import { serviceError } from '../../core/errors/service-error.js';
import type { Workflow } from '../../core/protocol/workflow.js';

/** The workflow of a submission as it is sent; Left if a job of it would leave what can't be deleted. */
export const sentWorkflow = (
  { name, jobs }: Pick<DialectStrategy, 'name' | 'jobs'>,
  workflow: Workflow,
  ephemeral: boolean,
): E.Either<ServiceError, EphemeralWorkflow> => {
  if (!ephemeral) return E.right({ workflow, problems: [] });
  if (!jobs.recordsCanBeDeleted)
    return E.left(
      serviceError('NotSupported', {
        message: `A server of the dialect ${name} deletes no records of jobs, so that no job of it is ephemeral.`,
        hint: 'Leave ephemeral out. Nothing was sent.',
      }),
    );
  return checkedEphemeral(workflow);
};

/** Deletes the record of a job that has ended before its last state is passed on; a record that stays is a warning of that state. */
export const deletingRecord =
  ({ deleting }: Pick<JobContext, 'deleting'>) =>
  (state: JobState): Observable<JobState> => {
    if (!isTerminal(state.phase) || state.phase === 'untraceable') return of(state);
    const stays = ({ message }: Error): JobState => ({
      ...state,
      warnings: [...state.warnings, `The record of the job stays at the service. ${message}`],
    });
    return fromTaskEither(deleting.job(state.promptId)).pipe(
      map(() => state),
      catchError((error: unknown) => of(stays(error instanceof Error ? error : new Error(String(error))))),
    );
  };
