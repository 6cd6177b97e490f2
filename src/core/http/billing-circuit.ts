import type { Clock } from '../platform/platform.js';
import { type Stopped, stopOf } from './client-stop.js';
import type { ServiceError } from '../errors/errors.js';

/** The circuit that a refused plan or an empty account opens: one submission a minute passes, as a trial. */
export interface BillingCircuit {
  /** The stop in force; undefined while the circuit is closed. */
  readonly stop: () => Stopped | undefined;
  readonly blocksSubmissions: () => boolean;
  /** Opens the circuit; does nothing where it is open. */
  readonly open: (error: ServiceError) => void;
  /** Counts a submission that is sent; call the result where it is accepted. Undefined while the circuit is closed. */
  readonly beginTrial: () => (() => void) | undefined;
  /** Closes the circuit without an event. */
  readonly reset: () => void;
}

/** Who hears that the state of billing changed, and that it is well again. */
export interface BillingCircuitOptions {
  readonly clock: Clock;
  /** Called when the stop begins or ends. */
  readonly changed: () => void;
  /** Called after a trial has closed the circuit. */
  readonly recovered: () => void;
}

const trialEveryMs = 60_000;

/** Makes a closed {@link BillingCircuit}. */
export const billingCircuit = ({ clock, changed, recovered }: BillingCircuitOptions): BillingCircuit => {
  /** `triedAt` is when the last submission was sent; at first that is the one whose refusal opened the circuit. */
  let circuit: { readonly stop: Stopped; triedAt: number } | undefined;

  return {
    stop: () => circuit?.stop,
    blocksSubmissions: () => circuit !== undefined && clock.now() - circuit.triedAt < trialEveryMs,
    open: (error) => {
      if (circuit !== undefined) return;
      circuit = { stop: stopOf('billing', error, clock), triedAt: clock.now() };
      changed();
    },
    beginTrial: () => {
      const own = circuit;
      if (own === undefined) return undefined;
      own.triedAt = clock.now();
      return () => {
        if (circuit !== own) return;
        circuit = undefined;
        changed();
        recovered();
      };
    },
    reset: () => {
      circuit = undefined;
    },
  };
};
