import { createEventInterceptor } from './event-interceptor.js';
import type { EventInterceptor } from '../messages.js';
import { createFaultRegistry, type FaultRegistry } from './fault-registry.js';
import { createIds } from '../ids.js';
import { createJobLedger, type JobLedger } from '../scheduler/job-ledger.js';
import type { EmulatorClock } from '../clock.js';
import type { Fault } from '../fault.js';
import type { Job } from '../scheduler/job.js';
import { planSocket, type SocketPlan } from './socket-plan.js';
import { planStream, type StreamPlan } from './stream-plan.js';

/** The faults of one emulator and the state that they work on, for either backend. */
export interface FaultInjector {
  readonly registry: FaultRegistry;
  readonly jobs: JobLedger;
  /** An interceptor for the messages of one account. */
  readonly createEventInterceptor: () => EventInterceptor;
  /** Records an accepted job and triggers its faults. */
  readonly onAccepted: (job: Job) => void;
  /** Records that a job of an engine that was killed begins anew; false for any other. */
  readonly onRestarted: (job: Job) => boolean;
  readonly losesWorker: (job: Job) => boolean;
  /** The plan of the next handshake. */
  readonly planSocket: () => SocketPlan;
  /** The plan of the next event stream. */
  readonly planStream: () => StreamPlan;
  /** True while sockets are refused so that a job ends while its client is disconnected. */
  readonly refusesSockets: () => boolean;
}

/** What an injector works on. */
export interface FaultInjectorOptions {
  readonly faults: readonly Fault[];
  readonly seed: number;
  readonly clock: EmulatorClock;
  readonly cutSockets: () => void;
}

/** An injector for an emulator without jobs and sockets. */
export const createFaultInjector = ({
  faults,
  seed,
  clock,
  cutSockets,
}: FaultInjectorOptions): FaultInjector => {
  const registry = createFaultRegistry(faults, seed, clock);
  const jobs = createJobLedger();
  // Separate ids, so that faults do not change those of the emulator's jobs.
  const ids = createIds(seed + 0.5);
  const disconnectedJobs = new Set<string>();
  let handshakes = 0;
  let streams = 0;

  const disconnect = (promptId: string, on: boolean): void => {
    if (!on) {
      disconnectedJobs.delete(promptId);
      return;
    }
    disconnectedJobs.add(promptId);
    cutSockets();
  };

  return {
    registry,
    jobs,
    createEventInterceptor: () =>
      createEventInterceptor({
        registry,
        jobNumber: jobs.numberOf,
        hex: ids.hex,
        uuid: ids.uuid,
        disconnect,
      }),
    onAccepted: (job) => registry.acceptJob(job.id, `job ${jobs.accept(job)}`),
    onRestarted: jobs.takeBack,
    losesWorker: ({ id }) => registry.ofJob(id).some((fault) => fault.do === 'lose'),
    planSocket: () => {
      handshakes += 1;
      return planSocket(
        registry.trigger(['socket'], `handshake ${handshakes}`, () => true),
        clock,
        ids.uuid,
      );
    },
    planStream: () => {
      streams += 1;
      return planStream(
        registry.trigger(['socket'], `stream ${streams}`, () => true),
        clock,
      );
    },
    refusesSockets: () => disconnectedJobs.size > 0,
  };
};
