import type { Endpoint } from '../protocol/endpoints/endpoint.js';
import type { ServiceError, ServiceErrorOf } from '../protocol/errors/errors.js';
import { serviceError } from '../protocol/errors/service-error.js';

/** Remembers a refusal that every later request would meet, so that none is sent until somebody changed something. */
export interface Stop {
  /** The refusal that holds for this call, if any does, in the words of the call that met it. */
  readonly refusal: (
    endpoint: Pick<Endpoint<unknown>, 'repeat' | 'method' | 'path' | 'promptId'>,
  ) => ServiceError | undefined;
  /**
   * Begins an attempt; the result takes its failure into account. It tells whether the failure is outdated: a refusal of
   * a time before `clear`, which says nothing of now.
   */
  readonly attempt: () => (error: ServiceError) => boolean;
  /** Lets requests out again; nothing is sent by that. */
  readonly clear: () => void;
}

/**
 * A refused key stops every call of the client; a refused plan or an empty account stops submissions, while jobs that run
 * can still be asked for. A thousand jobs then meet the refusal here instead of sending a thousand requests into it
 * (docs/protocol.md, chapter 3).
 */
export const stopSwitch = (): Stop => {
  let auth: Refusal | undefined;
  let billing: Refusal | undefined;
  let cleared = 0;
  return {
    refusal: ({ repeat, method, path, promptId }) => {
      const found = auth ?? (repeat === 'submission' ? billing : undefined);
      return found === undefined ? undefined : restated(found, `${method} ${path}`, promptId);
    },
    attempt: () => {
      const begun = cleared;
      return (error) => {
        if (!isRefusal(error)) return false;
        if (begun !== cleared) return true;
        if (error._tag === 'Unauthorized') auth ??= error;
        else billing ??= error;
        return false;
      };
    },
    clear: () => {
      auth = undefined;
      billing = undefined;
      cleared += 1;
    },
  };
};

type Refusal = ServiceErrorOf<'Unauthorized' | 'InsufficientCredits' | 'SubscriptionInactive'>;

const isRefusal = (error: ServiceError): error is Refusal =>
  error._tag === 'Unauthorized' ||
  error._tag === 'InsufficientCredits' ||
  error._tag === 'SubscriptionInactive';

/** The refusal of one call as that of another one: what it says of the account holds, its job is another. */
const restated = (
  { _tag, message, hint, retry, status, errorType }: Refusal,
  endpoint: string,
  promptId: string | undefined,
): ServiceError => serviceError(_tag, { message, hint, retry, status, errorType, endpoint, promptId });
