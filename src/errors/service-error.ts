import { errorDefaults } from './error-defaults.js';
import type {
  ServiceError,
  ServiceErrorDetails,
  ServiceErrorFields,
  ServiceErrorOf,
  ServiceErrorTag,
} from './errors.js';

/** The argument of {@link serviceError}: the tag's own members, and values that replace the tag's defaults. */
export type ServiceErrorInit<Tag extends ServiceErrorTag> = Partial<ServiceErrorFields> &
  ServiceErrorDetails[Tag] & {
    /** What happened; default the sentence of the tag. */
    readonly message?: string;
    /** The error that led to this one. */
    readonly cause?: unknown;
  };

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
): ServiceErrorOf<Tag> => {
  const { message, cause, ...members } = init;
  const defaults = errorDefaults[tag];
  const error = new TaggedError(message ?? defaults.message, cause === undefined ? undefined : { cause });
  Object.defineProperties(error, {
    name: { value: tag, configurable: true, writable: true },
    [brand]: { value: true },
  });
  Object.assign(error, { _tag: tag, hint: defaults.hint, retry: defaults.retry }, defined(members));
  return error as unknown as ServiceErrorOf<Tag>;
};

/**
 * Whether a value is a `ServiceError`, made by this or by another copy of the package.
 *
 * @example
 * ```ts
 * import { isServiceError } from 'promptwire';
 *
 * const hintOf = (problem: unknown): string | undefined => (isServiceError(problem) ? problem.hint : undefined);
 * ```
 */
export const isServiceError = (value: unknown): value is ServiceError =>
  typeof value === 'object' && value !== null && (value as { readonly [brand]?: unknown })[brand] === true;

const brand = Symbol.for('promptwire.ServiceError');

class TaggedError extends Error {
  toJSON(): Record<string, unknown> {
    return Object.assign({ name: this.name, message: this.message }, this as object);
  }
}

/** Drops members that are `undefined`, so that they replace no default. */
const defined = (members: object): object =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

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
