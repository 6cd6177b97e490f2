import type { Endpoint } from '../protocol/endpoint.js';
import type { ServiceError, ServiceErrorTag } from '../protocol/errors.js';

/** Remembers a refusal that every later request would meet, so that none is sent until somebody changed something. */
export interface Stop {
  /** The refusal that holds for this call, if any does. */
  readonly refusal: (endpoint: Pick<Endpoint<unknown>, 'repeat'>) => ServiceError | undefined;
  /** Takes a failure into account. */
  readonly note: (error: ServiceError) => void;
  /** Lets requests out again; nothing is sent by that. */
  readonly clear: () => void;
}

/**
 * A refused key stops every call of the client; a refused plan or an empty account stops submissions, while jobs that run
 * can still be asked for. A thousand jobs then meet the refusal here instead of sending a thousand requests into it
 * (docs/protocol.md, chapter 3).
 */
export const stopSwitch = (): Stop => {
  let auth: ServiceError | undefined;
  let billing: ServiceError | undefined;
  return {
    refusal: ({ repeat }) => auth ?? (repeat === 'submission' ? billing : undefined),
    note: (error) => {
      if (error._tag === 'Unauthorized') auth ??= error;
      else if (billingTags.has(error._tag)) billing ??= error;
    },
    clear: () => {
      auth = undefined;
      billing = undefined;
    },
  };
};

const billingTags: ReadonlySet<ServiceErrorTag> = new Set<ServiceErrorTag>([
  'InsufficientCredits',
  'SubscriptionInactive',
]);
