import { errorDefaults } from './error-defaults.js';
import type { ServiceError, ServiceErrorOf, ServiceErrorTag } from './errors.js';
import { type ServiceErrorInit, taggedError } from './tagged-error.js';

export { isServiceError, type ServiceErrorInit } from './tagged-error.js';

/**
 * Makes one member of the `ServiceError` union: a real `Error` whose `_tag` and `name` are the tag.
 *
 * Message, hint and retry class default to those of the tag. Members are enumerable, and absent rather than `undefined`;
 * `toJSON` returns them with the message and without stack and cause. It redacts nothing: the caller passes untrusted text
 * only after redaction (docs/protocol.md, chapter 3).
 *
 * @example
 * ```ts
 * import { serviceError } from 'promptwire';
 *
 * const error = serviceError('NotFound', { promptId: 'a1', message: 'No such job.' });
 * console.log(error._tag, error.retry, error.hint);
 * ```
 */
export const serviceError = <Tag extends ServiceErrorTag>(
  tag: Tag,
  init: ServiceErrorInit<Tag>,
): ServiceErrorOf<Tag> => taggedError(tag, errorDefaults[tag], init);

/** The argument of {@link networkError}. */
export interface NetworkFacts {
  readonly endpoint: string;
  readonly promptId?: string | undefined;
  /** The system's error code, e.g. `ECONNRESET`. */
  readonly code: string;
  /** What failed, to complete a sentence. */
  readonly message: string;
  readonly sent: boolean;
  /** What the user must do before another attempt can succeed. */
  readonly hint?: string | undefined;
}

/** Makes a `Network` error, whose `retry` is `never` where the user must do something first. */
export const networkError = (facts: NetworkFacts): ServiceErrorOf<'Network'> =>
  serviceError('Network', {
    ...facts,
    message: `The network failed (${facts.code}): ${facts.message}`,
    retry: facts.hint === undefined ? undefined : 'never',
  });

/** The same error with more candidates, each once; any error but `OutcomeUnknown` stays as it is. */
export const withCandidates = (error: ServiceError, promptIds: readonly string[]): ServiceError => {
  if (error._tag !== 'OutcomeUnknown') return error;
  const candidates = [...new Set([...error.candidates, ...promptIds])];
  // Message and cause are not enumerable.
  const { message, cause } = error;
  return serviceError('OutcomeUnknown', Object.assign({}, error, { message, cause, candidates }));
};
