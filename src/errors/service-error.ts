import { errorDefaults } from './error-defaults.js';
import type {
  ServiceError,
  ServiceErrorDetails,
  ServiceErrorFields,
  ServiceErrorOf,
  ServiceErrorTag,
} from './errors.js';

/** What a caller gives {@link serviceError}: the tag's own members, and whatever shall differ from the tag's defaults. */
export type ServiceErrorInit<Tag extends ServiceErrorTag> = Partial<ServiceErrorFields> &
  ServiceErrorDetails[Tag] & { readonly message?: string; readonly cause?: unknown };

/**
 * Makes one member of the `ServiceError` union: a real `Error` whose `_tag` and `name` are the tag.
 *
 * Message, hint and retry class come from one table where the caller gives none. Members are enumerable and absent
 * rather than `undefined`; `toJSON` gives them with the message and without stack and cause. Nothing is redacted here:
 * whoever passes text that came from outside passes it redacted (docs/protocol.md, chapter 3).
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
 * Tells whether a value is a `ServiceError`, made by this or by another copy of the package.
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

/** Members given as `undefined` are left out, so that a default is not overwritten by them. */
const defined = (members: object): object =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

/** How the network failed. */
export interface NetworkFacts {
  readonly endpoint: string;
  readonly promptId?: string | undefined;
  /** The system's word for it. */
  readonly code: string;
  /** A part of a sentence. */
  readonly message: string;
  readonly sent: boolean;
  /** What has to be done before any other attempt. */
  readonly hint?: string | undefined;
}

/** Makes the error of a network that failed; there is no use in trying again where something has to be done first. */
export const networkError = (facts: NetworkFacts): ServiceErrorOf<'Network'> =>
  serviceError('Network', {
    ...facts,
    message: `The network failed (${facts.code}): ${facts.message}`,
    retry: facts.hint === undefined ? undefined : 'never',
  });
