import { type ErrorCases, hasTag, matchError } from 'promptwire/fp';
import { isServiceError, type ServiceError, type ServiceErrorOf, type ServiceErrorTag } from 'promptwire';
import type { Equal, Expect } from './equal.js';

export type Tags = [
  Expect<Equal<ServiceError['_tag'], ServiceErrorTag>>,
  Expect<Equal<keyof ErrorCases, ServiceErrorTag>>,
  Expect<ServiceError extends Error ? true : false>,
];

export const detailOf = (error: unknown): string => {
  if (!isServiceError(error)) return String(error);
  if (error._tag === 'BadRequest') return Object.keys(error.nodeErrors).join();
  if (error._tag === 'OutcomeUnknown') return error.candidates.join();
  return error.hint;
};

export const narrowed = (error: ServiceError): ServiceErrorOf<'Network' | 'Timeout'> | undefined =>
  hasTag('Network', 'Timeout')(error) ? error : undefined;

export const folded = matchError({ QueueFull: () => 1, Network: () => 'later' }, () => null);
export type Folded = Expect<Equal<ReturnType<typeof folded>, number | string | null>>;

export const refused: readonly ((error: ServiceError) => unknown)[] = [
  (error) => {
    // @ts-expect-error -- other errors have no such member
    const { nodeErrors } = error;
    return typeof nodeErrors;
  },
  // @ts-expect-error -- without a function for the others each tag needs its own
  matchError({ QueueFull: () => 1 }),
  // @ts-expect-error -- there is no such tag
  matchError({ Nonsense: () => 1 }, () => 2),
  // @ts-expect-error -- there is no such tag
  hasTag('Nonsense'),
];
