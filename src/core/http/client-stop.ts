import type { Clock } from '../platform/platform.js';
import type { ServiceError } from '../errors/errors.js';

/**
 * Whether the service has refused this client, confirmed: `auth` where it does not accept the key, `billing` where the
 * account has no plan or no credits. Under either of them no submission is sent; jobs that are followed stay followed.
 *
 * An `auth` stop ends when the client finds the key accepted again: it asks 5 minutes later, then after 10, 20 and every
 * 30 minutes. A `billing` stop ends with a submission that is accepted: one a minute is sent. `resume()` and `setKey()` end both.
 */
export type ClientStop =
  | { readonly _tag: 'none' }
  | {
      readonly _tag: 'auth' | 'billing';
      /** What the service said, as `error.message`. */
      readonly reason: string;
      /** When the refusal was confirmed, in milliseconds since 1970. */
      readonly since: number;
      /** The refusal, which submissions fail with meanwhile. */
      readonly error: ServiceError;
    };

/** A stop that is in force. */
export type Stopped = Exclude<ClientStop, { readonly _tag: 'none' }>;

/** The stop that begins now by this refusal. */
export const stopOf = (_tag: Stopped['_tag'], error: ServiceError, clock: Pick<Clock, 'wall'>): Stopped => ({
  _tag,
  reason: error.message,
  since: clock.wall(),
  error,
});
