import { authCircuit } from './auth-circuit.js';
import { BehaviorSubject, type Observable } from 'rxjs';
import { billingCircuit } from './billing-circuit.js';
import type { ClientStop } from './client-stop.js';
import type { Clock } from '../platform/platform.js';
import { type Confirmations, confirmations } from './confirmation.js';
import { type Either, isRight } from '../protocol/either.js';
import type { Endpoint } from '../endpoints/endpoint.js';
import { isDoubtful, isStrayPage, refusalKind } from './retry.js';
import type { ServiceError } from '../errors/errors.js';
import { serviceError } from '../errors/service-error.js';
import { userEndpoint } from '../endpoints/user.js';

type Call = Pick<Endpoint<unknown>, 'idempotency' | 'method' | 'path' | 'promptId'>;

/**
 * What a failed attempt means for the client. `outdated`: the refusal is from before `reset`. `doubtful`: it counts only once it
 * has been met again. `confirmed`: it counts, and `confirm` has to take it in.
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
  /** The refusal that an open circuit has for this call; undefined if the call may be sent. */
  readonly refusal: (call: Call) => ServiceError | undefined;
  readonly attempt: (call: Call) => Attempt;
  /** Has one call confirm a refusal while the others wait. */
  readonly confirmations: Confirmations;
  /** Takes a confirmed refusal in; settles when it is known whether it concerns more than its own route. */
  readonly confirm: (error: ServiceError, call: Call) => Promise<void>;
  /** Closes every circuit; sends nothing. */
  readonly reset: () => void;
  readonly close: () => void;
}

/** How the service is asked whether it refuses, and whether it has accepted the key. */
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

/**
 * A refused key stops submissions, and reads where a read is refused as well; a refused plan or an empty account stops
 * submissions alone. A thousand jobs then meet the refusal here instead of sending a thousand requests into it
 * (docs/protocol.md, chapter 3).
 *
 * While one call confirms a refusal the others wait for the result. A call that is refused while the service accepts the
 * key otherwise concerns its route alone: for a minute its refusals are neither doubted nor counted.
 */
export const circuitBreaker = ({
  clock,
  probe,
  checkKey,
  isKeyAccepted,
  ended,
}: CircuitBreakerOptions): CircuitBreaker => {
  const stops = new BehaviorSubject<ClientStop>(none);
  const publish = (): void => {
    const stop = auth.stop() ?? billing.stop() ?? none;
    if (stop !== stops.value) stops.next(stop);
  };
  const auth = authCircuit({ clock, probe, changed: publish, recovered: ended });
  const billing = billingCircuit({ clock, changed: publish, recovered: ended });
  const confirming = confirmations(clock);
  const routes = refusedRoutes(clock);
  let hasSucceeded = false;
  let resets = 0;
  let isClosed = false;

  return {
    stops: stops.asObservable(),
    refusal: ({ idempotency, method, path, promptId }) => {
      const stop =
        idempotency === 'submission'
          ? (auth.stop() ?? (billing.blocksSubmissions() ? billing.stop() : undefined))
          : auth.blocksReads()
            ? auth.stop()
            : undefined;
      return stop && restated(stop.error, `${method} ${path}`, promptId);
    },
    attempt: (call) => {
      const begun = resets;
      const isSubmission = call.idempotency === 'submission';
      const billingTrial = isSubmission ? billing.beginTrial() : undefined;
      const readTrial = isSubmission ? undefined : auth.beginTrial();
      return {
        succeeded: () => {
          if (begun !== resets) return;
          hasSucceeded = true;
          readTrial?.('closed');
          billingTrial?.();
        },
        failed: (error, refusals) => {
          const kind = refusalKind(error);
          if (kind === undefined) {
            // Without an answer of the service the trial has found nothing out: the next read is one as well.
            readTrial?.(error.status === undefined || isStrayPage(error) ? 'half-open' : 'closed');
            return undefined;
          }
          if (begun !== resets) return 'outdated';
          if (kind === 'billing' ? billing.stop() !== undefined : routes.isRefused(error, call)) {
            return undefined;
          }
          const stop = auth.stop();
          if (kind === 'auth' && stop !== undefined) {
            if (!isSubmission && error._tag === stop.error._tag) auth.open(error, 'open');
            return undefined;
          }
          return refusals < 2 && isDoubtful(error, call, hasSucceeded || isKeyAccepted())
            ? 'doubtful'
            : 'confirmed';
        },
      };
    },
    confirmations: confirming,
    confirm: async (error, call) => {
      const begun = resets;
      const isOutdated = (): boolean => isClosed || begun !== resets;
      if (isClosed) return;
      if (refusalKind(error) === 'billing') billing.open(error);
      else if (call.path === userEndpoint().path) auth.open(error, 'half-open');
      else if (error._tag === 'Forbidden' || call.idempotency === 'never') routes.add(error, call);
      else if (call.idempotency === 'submission') {
        // Where the service refuses the key, this check opens the circuit itself.
        if (isRight(await checkKey()) && !isOutdated()) routes.add(error, call);
      } else {
        const isKeyGood = isRight(await probe());
        if (isOutdated()) return;
        if (isKeyGood) routes.add(error, call);
        else auth.open(error, 'open');
      }
    },
    reset: () => {
      resets += 1;
      hasSucceeded = false;
      auth.reset();
      billing.reset();
      routes.clear();
      confirming.reset();
      publish();
    },
    close: () => {
      isClosed = true;
      auth.reset();
      stops.complete();
    },
  };
};

const none: ClientStop = { _tag: 'none' };

const routeOnlyForMs = 60_000;

/** Remembers for a minute the routes that refuse although the service accepts the key. */
const refusedRoutes = (clock: Pick<Clock, 'now'>) => {
  const refusedUntil = new Map<string, number>();
  return {
    add: (error: ServiceError, call: Call): void => {
      refusedUntil.set(routeOf(error, call), clock.now() + routeOnlyForMs);
    },
    isRefused: (error: ServiceError, call: Call): boolean =>
      clock.now() < (refusedUntil.get(routeOf(error, call)) ?? -Infinity),
    clear: (): void => refusedUntil.clear(),
  };
};

/** The route of a call, without the ids in it, and how it is refused. */
const routeOf = ({ _tag }: ServiceError, { method, path }: Call): string =>
  `${_tag} ${method} ${path.split('/', 3).join()}`;

/** The refusal of one call as that of another: what it says about the account holds, the endpoint and the job are other ones. */
const restated = (
  { _tag, message, hint, retry, status, errorType }: ServiceError,
  endpoint: string,
  promptId: string | undefined,
): ServiceError =>
  serviceError(_tag as 'Unauthorized', { message, hint, retry, status, errorType, endpoint, promptId });
