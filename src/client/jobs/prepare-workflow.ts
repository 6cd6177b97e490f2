import { copyJson } from '../../core/protocol/json/copy-json.js';
import * as E from '../../core/protocol/either.js';
import { readApiWorkflow } from '../../workflow/read-api-workflow.js';
import type { ServiceError } from '../../core/errors/errors.js';
import { serviceError } from '../../core/errors/service-error.js';
import type { Workflow } from '../../core/protocol/workflow.js';
import { isWrittenOnce } from '../../core/protocol/json/write-once.js';

/**
 * Takes a copy of a workflow and checks its format, so that what is sent is what was there when the submission began. One that is
 * written once does not change, and needs no copy.
 */
export const prepareWorkflow = (workflow: unknown): E.Either<ServiceError, Workflow> => {
  let copy: unknown;
  try {
    copy = isWrittenOnce(workflow) ? workflow : (copyJson(workflow) ?? structuredClone(workflow));
  } catch {
    return E.left(
      serviceError('InvalidWorkflow', {
        format: 'unknown',
        message: 'The workflow holds a value that is no JSON, such as a function.',
      }),
    );
  }
  return readApiWorkflow(copy);
};
