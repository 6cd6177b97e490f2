import type { Endpoint } from '../protocol/endpoints/endpoint.js';
import type { ServiceError, ServiceErrorTag } from '../protocol/errors/errors.js';

/** What a refusal concerns: the key, or the account's plan and credits. */
export type RefusalKind = 'auth' | 'billing';

/** The kind of a refusal that may concern everything this client asks for; undefined for any other failure. */
export const refusalKind = ({ _tag }: Pick<ServiceError, '_tag'>): RefusalKind | undefined =>
  _tag === 'Unauthorized' || _tag === 'Forbidden'
    ? 'auth'
    : _tag === 'InsufficientCredits' || _tag === 'SubscriptionInactive'
      ? 'billing'
      : undefined;

/**
 * Whether a refusal may be a stray page of a proxy, so that the call is made again before it counts.
 *
 * A 429 without the service's own word may be, of a submission as well: what was refused so did not run. A 401 or 403 of a
 * read may be without such a word, and with one where the service has accepted the key before.
 */
export const isDoubtful = (
  { _tag, errorType }: ServiceError,
  { repeat }: Pick<Endpoint<unknown>, 'repeat'>,
  isKeyAccepted: boolean,
): boolean => {
  if (repeat === 'never') return false;
  if (_tag === 'SubscriptionInactive') return errorType === undefined;
  return (
    repeat === 'always' && refusalKind({ _tag }) === 'auth' && (errorType === undefined || isKeyAccepted)
  );
};

/**
 * Whether an answer is no word of the service, as a page of a proxy is none: it leaves open whether the service accepts the key.
 *
 * A 404 is the service's own: it looked for something.
 */
export const saysNothing = ({ _tag, errorType }: ServiceError): boolean =>
  errorType === undefined && strays.has(_tag);

const strays: ReadonlySet<ServiceErrorTag> = new Set<ServiceErrorTag>([
  'BadRequest',
  'UnexpectedStatus',
  'ProtocolChanged',
  'Decode',
  'TooLarge',
]);
