import type { CancelTimer, Clock } from '../platform/platform.js';
import { type Either, isRight } from '../protocol/either.js';
import { type Stopped, stopOf } from './client-stop.js';
import type { ServiceError } from '../errors/errors.js';

/** Whether reads are sent while the key is refused: none, the next one as a trial, or all. */
export type ReadCircuit = 'open' | 'half-open' | 'closed';

/** The circuit that a refused API key opens: no submission passes, and reads pass as its read circuit says. */
export interface AuthCircuit {
  /** The stop in force; undefined while the circuit is closed. */
  readonly stop: () => Stopped | undefined;
  readonly blocksReads: () => boolean;
  /** Opens the circuit; where it is open already only the read circuit changes. */
  readonly open: (error: ServiceError, reads: 'open' | 'half-open') => void;
  /**
   * Takes the trial of a half-open read circuit: it is open until the result is called with what the trial found out. Undefined
   * where no trial is due.
   */
  readonly beginTrial: () => ((reads: ReadCircuit) => void) | undefined;
  /** Closes the circuit without an event, and ends its timer. */
  readonly reset: () => void;
}

/** How the service is asked whether it takes the key, and who hears of it. */
export interface AuthCircuitOptions {
  readonly clock: Clock;
  /** Checks the key; Right if the service accepts it. */
  readonly probe: () => Promise<Either<ServiceError, unknown>>;
  /** Called when the stop begins or ends. */
  readonly changed: () => void;
  /** Called after a probe has closed the circuit. */
  readonly recovered: () => void;
}

const firstProbeMs = 300_000;
const longestProbeMs = 1_800_000;

/** Makes a closed {@link AuthCircuit}; once open it probes the key after 5, then 10, 20 and every 30 minutes. */
export const authCircuit = ({ clock, probe, changed, recovered }: AuthCircuitOptions): AuthCircuit => {
  let circuit: OpenCircuit | undefined;

  const probeAfter = (own: OpenCircuit, delayMs: number): void => {
    const probed = (answer: Either<ServiceError, unknown>): void => {
      if (circuit !== own) return;
      if (!isRight(answer)) {
        probeAfter(own, Math.min(longestProbeMs, 2 * delayMs));
        return;
      }
      circuit = undefined;
      changed();
      recovered();
    };
    own.cancelProbe = clock.after(delayMs, () => void probe().then(probed), { background: true });
  };

  return {
    stop: () => circuit?.stop,
    blocksReads: () => circuit?.reads === 'open',
    open: (error, reads) => {
      if (circuit !== undefined) {
        circuit.reads = reads;
        return;
      }
      circuit = { stop: stopOf('auth', error, clock), reads, cancelProbe: () => undefined };
      probeAfter(circuit, firstProbeMs);
      changed();
    },
    beginTrial: () => {
      const own = circuit;
      if (own?.reads !== 'half-open') return undefined;
      own.reads = 'open';
      return (reads) => {
        own.reads = reads;
      };
    },
    reset: () => {
      circuit?.cancelProbe();
      circuit = undefined;
    },
  };
};

interface OpenCircuit {
  readonly stop: Stopped;
  reads: ReadCircuit;
  cancelProbe: CancelTimer;
}
