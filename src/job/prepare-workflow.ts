import * as E from '../protocol/either.js';
import type { ServiceError } from '../protocol/errors/errors.js';
import { readWorkflow } from '../protocol/workflow/read-workflow.js';
import { serviceError } from '../protocol/errors/service-error.js';
import type { Workflow } from '../protocol/workflow/workflow.js';
import { copyJson } from './copy-json.js';

/**
 * Takes a copy of a workflow and checks its format, so that what is sent is what was there when the submission began.
 */
export const prepareWorkflow = (workflow: unknown): E.Either<ServiceError, Workflow> => {
  let copy: unknown;
  try {
    copy = copyJson(workflow) ?? structuredClone(workflow);
  } catch {
    return E.left(
      serviceError('InvalidWorkflow', {
        format: 'unknown',
        message: 'The workflow holds a value that is no JSON, such as a function.',
      }),
    );
  }
  return readWorkflow(copy);
};
