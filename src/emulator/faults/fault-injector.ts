import { createEventInterceptor, type EventInterceptor } from './event-interceptor.js';
import { createFaultRegistry, type FaultRegistry } from './fault-registry.js';
import { createIds } from '../ids.js';
import { createJobLedger, type JobLedger } from '../scheduler/job-ledger.js';
import type { EmulatorClock } from '../clock.js';
import type { Fault } from './fault.js';
import type { Job } from '../scheduler/job.js';
import { planSocket, type SocketPlan } from './socket-plan.js';

/** The faults of one emulator and what they know of it, for whatever world it is. */
export interface FaultInjector {
  readonly registry: FaultRegistry;
  readonly jobs: JobLedger;
  /** A gate for the messages of one account. */
  readonly createEventInterceptor: () => EventInterceptor;
  /** Enters an accepted job, and lets faults strike it. */
  readonly onAccepted: (job: Job) => void;
  readonly losesWorker: (job: Job) => boolean;
  /** What goes wrong with the next handshake. */
  readonly planSocket: () => SocketPlan;
  /** True while sockets are kept out so that a job ends unheard. */
  readonly refusesSockets: () => boolean;
}

/** What a kit needs from around it. */
export interface FaultInjectorOptions {
  readonly faults: readonly Fault[];
  readonly seed: number;
  readonly clock: EmulatorClock;
  readonly cutSockets: () => void;
}

/** A kit for an emulator without jobs and sockets. */
export const createFaultInjector = ({
  faults,
  seed,
  clock,
  cutSockets,
}: FaultInjectorOptions): FaultInjector => {
  const registry = createFaultRegistry(faults, seed, clock);
  const jobs = createJobLedger();
  // Ids of its own, so that faults do not change those of the emulator's jobs.
  const ids = createIds(seed + 0.5);
  const disconnectedJobs = new Set<string>();
  let handshakes = 0;

  const disconnect = (promptId: string, on: boolean): void => {
    if (!on) {
      disconnectedJobs.delete(promptId);
      return;
    }
    disconnectedJobs.add(promptId);
    cutSockets();
  };

  return {
    registry: registry,
    jobs: jobs,
    createEventInterceptor: () =>
      createEventInterceptor({
        registry: registry,
        jobNumber: jobs.numberOf,
        hex: ids.hex,
        uuid: ids.uuid,
        disconnect,
      }),
    onAccepted: (job) => registry.acceptJob(job.id, `job ${jobs.accept(job)}`),
    losesWorker: ({ id }) => registry.ofJob(id).some((fault) => fault.do === 'lose'),
    planSocket: () => {
      handshakes += 1;
      return planSocket(
        registry.trigger(['socket'], `handshake ${handshakes}`, () => true),
        clock,
        ids.uuid,
      );
    },
    refusesSockets: () => disconnectedJobs.size > 0,
  };
};
