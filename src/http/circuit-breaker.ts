import { BehaviorSubject, type Observable } from 'rxjs';
import { type Either, isRight } from '../protocol/either.js';
import type { Endpoint } from '../endpoints/endpoint.js';
import { userEndpoint } from '../endpoints/user.js';
import type { ServiceError } from '../errors/errors.js';
import { serviceError } from '../errors/service-error.js';
import type { CancelTimer, Clock } from '../platform/platform.js';
import type { ClientStop } from './client-stop.js';
import { isDoubtful, refusalKind, isStrayPage } from './retry.js';

type Call = Pick<Endpoint<unknown>, 'idempotency' | 'method' | 'path' | 'promptId'>;

/**
 * What a failed attempt means for the client: `outdated` is a refusal of a time before `reset`, `doubtful` one that has to
 * be met again before it counts, and `confirmed` one that still has to be taken in by `confirm`.
 */
export type Verdict = 'outdated' | 'doubtful' | 'confirmed';

/** Takes the outcome of one attempt of a call. */
export interface Attempt {
  readonly succeeded: () => void;
  /** `refusals` counts how often this call was refused before, in a row. */
  readonly failed: (error: ServiceError, refusals: number) => Verdict | undefined;
}

/** Keeps the calls of a client from being sent into a refusal that is known already. */
export interface CircuitBreaker {
  /** Whether a stop is in force, replayed; completes with `close`. */
  readonly stops: Observable<ClientStop>;
  /** The refusal that this call would meet, in the words of the call that met it; undefined where it may be sent. */
  readonly refusal: (call: Call) => ServiceError | undefined;
  readonly attempt: (call: Call) => Attempt;
  /** Settles when the refusal that some call is confirming is confirmed or not; undefined where none is. */
  readonly confirmationOver: () => Promise<void> | undefined;
  /** Makes the caller the one that confirms, until it calls `end`; undefined where another one does. */
  readonly beginConfirmation: () => Confirming | undefined;
  /** Takes a confirmed refusal in; settles when it is known whether it concerns more than the route that it came by. */
  readonly confirm: (error: ServiceError, call: Call) => Promise<void>;
  /** Ends every stop; nothing is sent by that. */
  readonly reset: () => void;
  readonly close: () => void;
}

/** The call that confirms a refusal. */
export interface Confirming {
  /** It asks again, so the others wait for this answer as well. */
  readonly asksAgain: () => void;
  readonly end: () => void;
}

/** What {@link circuitBreaker} needs. */
export interface CircuitBreakerOptions {
  readonly clock: Clock;
  /** Checks the key with a request that bypasses the breaker; Right if the service accepts the key. */
  readonly probe: () => Promise<Either<ServiceError, unknown>>;
  /** Checks the key with a request whose outcome the breaker counts. */
  readonly checkKey: () => Promise<Either<ServiceError, unknown>>;
  /** Whether the service is known to have accepted the key by other means than a call. */
  readonly isKeyAccepted: () => boolean;
  /** Called after a stop has ended by itself. */
  readonly ended: () => void;
}

const firstProbeMs = 300_000;
const longestProbeMs = 1_800_000;
const trialEveryMs = 60_000;
const routeOnlyForMs = 60_000;
/** A confirming call that has asked for so long got no answer: another one may confirm, and the others wait no longer. */
export const confirmsWithinMs = 15_000;

/**
 * A refused key stops submissions, and reads where a read is refused as well; a refused plan or an empty account stops
 * submissions alone. A thousand jobs then meet the refusal here instead of sending a thousand requests into it
 * (docs/protocol.md, chapter 3).
 *
 * While one call confirms a refusal the others wait for what it finds. A call that is refused while the service accepts the
 * key otherwise concerns its route alone: its refusals are neither doubted nor counted for the minute after.
 */
export const circuitBreaker = ({
  clock,
  probe,
  checkKey,
  isKeyAccepted,
  ended,
}: CircuitBreakerOptions): CircuitBreaker => {
  let auth: AuthStop | undefined;
  let billing: BillingStop | undefined;
  let isAccepted = false;
  let resets = 0;
  let confirmation: Confirmation | undefined;
  let isClosed = false;
  const routeOnlyUntil = new Map<string, number>();
  const stops = new BehaviorSubject<ClientStop>(none);

  const tell = (): void => {
    const now = (auth ?? billing)?.stop ?? none;
    if (now !== stops.value) stops.next(now);
  };
  const blameRoute = (error: ServiceError, call: Call): void => {
    routeOnlyUntil.set(routeOf(error, call), clock.now() + routeOnlyForMs);
  };
  const isRouteOnly = (error: ServiceError, call: Call): boolean =>
    clock.now() < (routeOnlyUntil.get(routeOf(error, call)) ?? -Infinity);
  const current = (): Confirmation | undefined =>
    confirmation !== undefined && clock.now() - confirmation.since < confirmsWithinMs
      ? confirmation
      : undefined;
  const stopOf = (kind: 'auth' | 'billing', error: ServiceError): Stopped => ({
    _tag: kind,
    reason: error.message,
    since: clock.wall(),
    error,
  });
  const probeAfter = (own: AuthStop, delayMs: number): void => {
    const probed = (answer: Either<ServiceError, unknown>): void => {
      if (auth !== own || isClosed) return;
      if (!isRight(answer)) {
        probeAfter(own, Math.min(longestProbeMs, 2 * delayMs));
        return;
      }
      auth = undefined;
      tell();
      ended();
    };
    own.cancelProbe = clock.after(delayMs, () => void probe().then(probed), { background: true });
  };
  const stopAuth = (error: ServiceError, reads: 'next' | 'none'): void => {
    if (isClosed) return;
    if (auth !== undefined) {
      auth.reads = reads;
      return;
    }
    auth = { stop: stopOf('auth', error), reads, cancelProbe: () => undefined };
    probeAfter(auth, firstProbeMs);
    tell();
  };
  const stopBilling = (error: ServiceError): void => {
    if (billing !== undefined || isClosed) return;
    billing = { stop: stopOf('billing', error), triedAt: clock.now() };
    tell();
  };

  return {
    stops: stops.asObservable(),
    refusal: ({ idempotency, method, path, promptId }) => {
      const mayTry = billing !== undefined && clock.now() - billing.triedAt >= trialEveryMs;
      const found =
        idempotency === 'submission'
          ? (auth ?? (mayTry ? undefined : billing))
          : auth?.reads === 'none'
            ? auth
            : undefined;
      return found && restated(found.stop.error, `${method} ${path}`, promptId);
    },
    attempt: (call) => {
      const begun = resets;
      const isSubmission = call.idempotency === 'submission';
      const tried = isSubmission ? billing : undefined;
      if (tried !== undefined) tried.triedAt = clock.now();
      const found = !isSubmission && auth?.reads === 'next' ? auth : undefined;
      if (found !== undefined) found.reads = 'none';
      const readsAre = (now: 'next' | undefined): void => {
        if (found !== undefined) found.reads = now;
      };
      return {
        succeeded: () => {
          if (begun !== resets) return;
          isAccepted = true;
          readsAre(undefined);
          if (tried === undefined || tried !== billing) return;
          billing = undefined;
          tell();
          ended();
        },
        failed: (error, refusals) => {
          const kind = refusalKind(error);
          if (kind === undefined) {
            readsAre(error.status === undefined || isStrayPage(error) ? 'next' : undefined);
            return undefined;
          }
          if (begun !== resets) return 'outdated';
          if (kind === 'billing' ? billing !== undefined : isRouteOnly(error, call)) return undefined;
          if (kind === 'auth' && auth !== undefined) {
            if (!isSubmission && error._tag === auth.stop.error._tag) auth.reads = 'none';
            return undefined;
          }
          return refusals < 2 && isDoubtful(error, call, isAccepted || isKeyAccepted())
            ? 'doubtful'
            : 'confirmed';
        },
      };
    },
    confirmationOver: () => current()?.over,
    beginConfirmation: () => {
      if (current() !== undefined) return undefined;
      let end = (): void => undefined;
      const over = new Promise<void>((resolve) => (end = resolve));
      const own = { over, end, since: clock.now() };
      confirmation = own;
      return {
        asksAgain: () => {
          own.since = clock.now();
        },
        end: () => {
          end();
          if (confirmation === own) confirmation = undefined;
        },
      };
    },
    confirm: async (error, call) => {
      const begun = resets;
      if (refusalKind(error) === 'billing') stopBilling(error);
      else if (call.path === userEndpoint().path) stopAuth(error, 'next');
      else if (error._tag === 'Forbidden' || call.idempotency === 'never') blameRoute(error, call);
      else if (call.idempotency === 'submission') {
        // Where the key is refused that call stops the client.
        if (isRight(await checkKey()) && begun === resets) blameRoute(error, call);
      } else {
        const isGood = isRight(await probe());
        if (begun !== resets) return;
        if (isGood) blameRoute(error, call);
        else stopAuth(error, 'none');
      }
    },
    reset: () => {
      resets += 1;
      auth?.cancelProbe();
      auth = undefined;
      billing = undefined;
      isAccepted = false;
      routeOnlyUntil.clear();
      confirmation?.end();
      confirmation = undefined;
      tell();
    },
    close: () => {
      isClosed = true;
      auth?.cancelProbe();
      stops.complete();
    },
  };
};

const none: ClientStop = { _tag: 'none' };

interface Confirmation {
  readonly over: Promise<void>;
  readonly end: () => void;
  /** When the call that confirms last asked. */
  since: number;
}

type Stopped = Exclude<ClientStop, { readonly _tag: 'none' }>;

interface AuthStop {
  readonly stop: Stopped;
  /** Which reads are sent: the next one alone, to find out, or none; undefined for all. */
  reads: 'next' | 'none' | undefined;
  cancelProbe: CancelTimer;
}

interface BillingStop {
  readonly stop: Stopped;
  /** When the last submission was sent; the first is the one whose refusal began the stop. */
  triedAt: number;
}

/** The route of a call, without the ids in it, and how it is refused. */
const routeOf = ({ _tag }: ServiceError, { method, path }: Call): string =>
  `${_tag} ${method} ${path.split('/', 3).join()}`;

/** The refusal of one call as that of another one: what it says of the account holds, its job is another. */
const restated = (
  { _tag, message, hint, retry, status, errorType }: ServiceError,
  endpoint: string,
  promptId: string | undefined,
): ServiceError =>
  serviceError(_tag as 'Unauthorized', { message, hint, retry, status, errorType, endpoint, promptId });
