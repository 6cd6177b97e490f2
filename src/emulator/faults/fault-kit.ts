import type { EmulatorClock } from '../clock.js';
import { createIds } from '../ids.js';
import { createJobBook, type JobBook } from '../ledger/books.js';
import type { Job } from '../scheduler/job.js';
import { createEventGate, type EventGate } from './event-gate.js';
import type { Fault } from './fault.js';
import { createFaultMachine, type FaultMachine } from './fault-machine.js';
import { planSocket, type SocketPlan } from './socket-plan.js';

/** The faults of one emulator and what they know of it, for whatever world it is. */
export interface FaultKit {
  readonly machine: FaultMachine;
  readonly book: JobBook;
  /** A gate for the messages of one account. */
  readonly newGate: () => EventGate;
  /** Enters an accepted job, and lets faults strike it. */
  readonly accept: (job: Job) => void;
  readonly loses: (job: Job) => boolean;
  /** What goes wrong with the next handshake. */
  readonly nextSocket: () => SocketPlan;
  /** True while sockets are kept out so that a job ends unheard. */
  readonly keepsSocketsOut: () => boolean;
}

/** What a kit needs from around it. */
export interface FaultKitOptions {
  readonly faults: readonly Fault[];
  readonly seed: number;
  readonly clock: EmulatorClock;
  readonly cutSockets: () => void;
}

/** A kit for an emulator without jobs and sockets. */
export const createFaultKit = ({ faults, seed, clock, cutSockets }: FaultKitOptions): FaultKit => {
  const machine = createFaultMachine(faults, seed, clock);
  const book = createJobBook();
  // Ids of its own, so that faults do not change those of the emulator's jobs.
  const ids = createIds(seed + 0.5);
  const unheard = new Set<string>();
  let handshakes = 0;

  const disconnect = (promptId: string, on: boolean): void => {
    if (!on) {
      unheard.delete(promptId);
      return;
    }
    unheard.add(promptId);
    cutSockets();
  };

  return {
    machine,
    book,
    newGate: () =>
      createEventGate({ machine, jobNumber: book.numberOf, hex: ids.hex, uuid: ids.uuid, disconnect }),
    accept: (job) => machine.acceptJob(job.id, `job ${book.accept(job)}`),
    loses: ({ id }) => machine.ofJob(id).some((fault) => fault.do === 'lose'),
    nextSocket: () => {
      handshakes += 1;
      return planSocket(
        machine.struckBy(['socket'], `handshake ${handshakes}`, () => true),
        clock,
        ids.uuid,
      );
    },
    keepsSocketsOut: () => unheard.size > 0,
  };
};
