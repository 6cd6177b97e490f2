import * as E from '../../core/protocol/either.js';
import { ephemeralWorkflow, type EphemeralWorkflow } from './ephemeral-workflow.js';
import type { ServiceError } from '../../core/errors/errors.js';
import { serviceError } from '../../core/errors/service-error.js';
import type { Workflow } from '../../core/protocol/workflow.js';

/** The workflow of which no file stays on the server; Left with `NotSupported` if one would. */
export const checkedEphemeral = (workflow: Workflow): E.Either<ServiceError, EphemeralWorkflow> => {
  const made = ephemeralWorkflow(workflow);
  const errors = made.problems.filter(({ severity }) => severity === 'error');
  if (errors.length === 0) return E.right(made);
  return E.left(
    serviceError('NotSupported', {
      message: `The workflow leaves files on the server. ${errors.map(({ message }) => message).join(' ')}`,
      hint: 'Nothing was sent. Take these nodes out, or leave ephemeral out.',
    }),
  );
};
