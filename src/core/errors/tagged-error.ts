import type { ErrorDefaults } from './call-error-defaults.js';
import type {
  ServiceError,
  ServiceErrorDetails,
  ServiceErrorFields,
  ServiceErrorOf,
  ServiceErrorTag,
} from './errors.js';

/** The argument of {@link serviceError}: the tag's own members, and values that replace the tag's defaults. */
export type ServiceErrorInit<Tag extends ServiceErrorTag> = Partial<Omit<ServiceErrorFields, 'docsUrl'>> &
  ServiceErrorDetails[Tag] & {
    /** What happened; default the sentence of the tag. */
    readonly message?: string;
    /** The error that led to this one. */
    readonly cause?: unknown;
  };

/** Makes a member of the `ServiceError` union from the defaults of its tag. */
export const taggedError = <Tag extends ServiceErrorTag>(
  tag: Tag,
  defaults: ErrorDefaults,
  init: ServiceErrorInit<Tag>,
): ServiceErrorOf<Tag> => {
  const { message, cause, ...members } = init;
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

/** Where the page of each tag is: `docs/errors` of the repository that package.json names. */
const pages = 'https://github.com/promptwire/promptwire/blob/main/docs/errors/';

class TaggedError extends Error {
  get docsUrl(): string {
    return `${pages}${this.name}.md`;
  }

  toJSON(): Record<string, unknown> {
    return Object.assign({ name: this.name, message: this.message }, this as object);
  }
}

/** Drops members that are `undefined`, so that they replace no default. */
const defined = (members: object): object =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
