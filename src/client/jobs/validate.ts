import { left, right } from '../../core/protocol/either.js';
import type { RedactValue } from '../../core/redaction/redact-value.js';
import type { Rest } from '../../core/http/rest.js';
import { serviceError } from '../../core/errors/service-error.js';
import type { Validate } from './validation.js';

/**
 * Makes the check of one client. The validator is loaded with the first workflow, so that a page without one loads none of it;
 * where that fails, the next one tries again.
 */
export const lazyValidation = (
  rest: Pick<Rest, 'objectInfo' | 'nodeReplacements'>,
  redactValue: RedactValue,
  importValidator = () => import('./validation.js'),
): Validate => {
  let loading: Promise<Validate> | undefined;
  const load = async (): Promise<Validate> => {
    try {
      const { validation } = await importValidator();
      return validation(rest, redactValue);
    } catch {
      loading = undefined;
      return notLoaded;
    }
  };
  return async (workflow, mode, targets) => (await (loading ??= load()))(workflow, mode, targets);
};

const notLoaded: Validate = (_, mode, targets) => {
  const message = 'The validator could not be loaded.';
  return Promise.resolve(
    mode === 'warn' && targets === undefined
      ? right([{ type: 'not_validated', severity: 'warning', message }])
      : left(serviceError('Network', { code: 'IMPORT', sent: false, message })),
  );
};
