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

/**
 * Copies a value that is made of plain objects, lists, texts, numbers of both kinds, booleans and null, `levels` deep at most; gives
 * undefined for any other one, as `structuredClone` may still be able to.
 *
 * That one takes four to five times as long, as it goes by way of a serialised form.
 */
export const copyJson = (value: unknown, levels = 64): unknown => {
  if (typeof value !== 'object') return isScalar(value) ? value : undefined;
  if (value === null) return value;
  if (levels === 0) return undefined;
  if (Array.isArray(value)) {
    const copies: unknown[] = [];
    for (const item of value) {
      const copy = copyJson(item, levels - 1);
      if (copy === undefined) return undefined;
      copies.push(copy);
    }
    return copies;
  }
  if (!isPlain(value)) return undefined;
  const copies: Record<string, unknown> = {};
  const members = value as Readonly<Record<string, unknown>>;
  for (const name of Object.keys(members)) {
    const copy = copyJson(members[name], levels - 1);
    // Assigning to `__proto__` would set the prototype.
    if (copy === undefined || name === '__proto__') return undefined;
    copies[name] = copy;
  }
  return copies;
};

const isScalar = (value: unknown): boolean =>
  ['string', 'number', 'boolean', 'bigint'].includes(typeof value);

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};
