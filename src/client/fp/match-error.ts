import type { ServiceError, ServiceErrorOf, ServiceErrorTag } from '../../core/errors/errors.js';

/** A function for each tag of `ServiceError`. */
export type ErrorCases = { readonly [Tag in ServiceErrorTag]: (error: ServiceErrorOf<Tag>) => unknown };

/** What the functions of some cases give. */
export type ErrorResult<Cases extends Partial<ErrorCases>> = {
  [Tag in keyof Cases]: Cases[Tag] extends (error: never) => infer Result ? Result : never;
}[keyof Cases];

/**
 * Folds a `ServiceError` by its `_tag`: one function for each tag, or some and one for all others.
 *
 * Without `otherwise` every tag must have its function, so a new tag of a later version is an error of the compiler. The results
 * may differ in type; the fold gives their union.
 *
 * @example
 * ```ts
 * import { matchError } from 'promptwire/fp';
 *
 * const advice = matchError(
 *   {
 *     QueueFull: () => 'wait until a job ends',
 *     BadRequest: ({ nodeErrors }) => `correct ${Object.keys(nodeErrors).join(', ')}`,
 *   },
 *   ({ hint }) => hint,
 * );
 * ```
 */
export const matchError: {
  <Cases extends ErrorCases>(cases: Cases): (error: ServiceError) => ErrorResult<Cases>;
  <Cases extends Partial<ErrorCases>, Other>(
    cases: Cases & { readonly [Name in Exclude<keyof Cases, ServiceErrorTag>]: never },
    otherwise: (error: ServiceError) => Other,
  ): (error: ServiceError) => ErrorResult<Cases> | Other;
} =
  (cases: Partial<ErrorCases>, otherwise?: (error: ServiceError) => unknown) =>
  (error: ServiceError): never => {
    const own = Object.hasOwn(cases, error._tag) ? cases[error._tag] : undefined;
    const match = (own ?? otherwise) as ((error: ServiceError) => never) | undefined;
    // Only a program without types, or one compiled against an older version, gets here without a case.
    if (match === undefined) throw error;
    return match(error);
  };

/**
 * Whether an error has one of these tags: a refinement for `filter`, `O.fromPredicate` and the like.
 *
 * @example
 * ```ts
 * import type { ServiceError } from 'promptwire';
 * import { hasTag } from 'promptwire/fp';
 *
 * const mayComeBack = (error: ServiceError): boolean => hasTag('Network', 'Timeout', 'ServerError')(error);
 * ```
 */
export const hasTag =
  <Tag extends ServiceErrorTag>(...tags: readonly Tag[]) =>
  (error: ServiceError): error is ServiceErrorOf<Tag> =>
    (tags as readonly ServiceErrorTag[]).includes(error._tag);
