import { Observable, type Subscriber, Subscription } from 'rxjs';
import { within } from '../streams/within.js';

/** One subscription of a source that emits nothing, for all who want it. */
export interface Shared {
  /** Keeps it; errors with it, and completes once all is ended. */
  readonly strict: Observable<never>;
  /** Keeps it, and rests where it errors, until `resume`; errors once all is ended. */
  readonly patient: Observable<never>;
  /** Begins anew where somebody rests. */
  readonly resume: () => void;
  /** Ends all, now and later: completes the strict, errors the patient. */
  readonly end: (error: unknown) => void;
}

/**
 * Shares a source: its subscription begins with the first subscriber, and after the last one it is kept until `lingering`
 * calls its argument, unless what that gave back is called before. An error goes to all, and the next subscriber begins
 * anew; nothing lingers then.
 *
 * Each job that runs subscribes twice, so this is written by hand: whoever comes while there are others is only noted.
 */
export const shared = (source: Observable<never>, lingering: (over: () => void) => () => void): Shared => {
  const strict = new Set<Subscriber<never>>();
  const patient = new Set<Subscriber<never>>();
  let ended: { readonly error: unknown } | undefined;
  let held = Subscription.EMPTY;
  let stopLingering: (() => void) | undefined;

  const stay = (): void => {
    stopLingering?.();
    stopLingering = undefined;
  };
  const release = (): void => {
    stay();
    // Closed before they leave, so that nothing lingers.
    held.unsubscribe();
  };
  const fail = (error: unknown): void => {
    release();
    for (const subscriber of [...strict]) subscriber.error(error);
  };
  const begin = (): void => {
    stay();
    if (!held.closed) return;
    // Held before it begins: who comes, leaves or ends all while it does has to meet it.
    held = new Subscription();
    within(held, () => source, { error: fail });
  };
  const leave = (): void => {
    if (strict.size + patient.size > 0 || held.closed) return;
    stopLingering = lingering(() => {
      stay();
      held.unsubscribe();
    });
  };
  const among = (subscribers: Set<Subscriber<never>>): Observable<never> =>
    new Observable((subscriber) => {
      if (ended !== undefined) {
        if (subscribers === patient) subscriber.error(ended.error);
        else subscriber.complete();
        return undefined;
      }
      subscribers.add(subscriber);
      begin();
      return () => {
        subscribers.delete(subscriber);
        leave();
      };
    });

  return {
    strict: among(strict),
    patient: among(patient),
    resume: () => {
      if (patient.size > 0) begin();
    },
    end: (error) => {
      ended = { error };
      release();
      for (const subscriber of [...strict]) subscriber.complete();
      for (const subscriber of [...patient]) subscriber.error(error);
    },
  };
};
