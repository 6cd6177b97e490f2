import { isServiceError, serviceError } from '../../../core/errors/service-error.js';

/** The error of one of several jobs that are added at once, which says which of them it is; of one job alone as it is. */
export const placedError = (error: unknown, index: number, count: number): unknown => {
  if (count < 2 || !isServiceError(error)) return error;
  // Message and cause are not enumerable.
  const { message, cause } = error;
  const placed = `Job ${index + 1} of ${count}, so none was added: ${message}`;
  return serviceError(error._tag, Object.assign({}, error, { message: placed, cause }));
};
