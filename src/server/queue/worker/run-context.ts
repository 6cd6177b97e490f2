import type { Client } from '../../../client/client-types.js';
import type { Clock } from '../../../core/platform/platform.js';
import type { EventLog } from '../../joblog/event-log.js';
import type { Logger } from '../../../core/log/logger.js';
import type { Either } from '../../../core/protocol/either.js';
import type { HeldJob } from '../policy/submission-ports.js';
import type { JobLog } from './job-log.js';
import type { JobService } from './client-service.js';
import type { JobState } from '../../../core/state/job-state.js';
import type { JobStore, QueueRecord } from '../store/job-store.js';
import type { Observable } from 'rxjs';
import { publish } from '../telemetry/channels.js';
import type { QueueStepMessage } from '../telemetry/messages.js';
import type { QueueJobState } from '../follow/queue-state.js';
import type { QueuePreviews } from '../follow/previews.js';
import type { QueueStore } from '../store/redis-queue-store.js';
import type { ServiceError } from '../../../core/errors/errors.js';
import type { SubmissionRules } from '../policy/rules.js';
import type { Workflow } from '../../../core/protocol/workflow.js';

/** The parts of a worker that run one of its jobs. */
export interface RunContext {
  readonly queue: string;
  readonly worker: string;
  readonly client: Client;
  readonly partnerKey?: true | string | undefined;
  readonly store: JobStore;
  readonly queueStore: QueueStore;
  readonly log: EventLog;
  readonly previews: Pick<QueuePreviews, 'publish'>;
  readonly rules: SubmissionRules;
  readonly logger?: Logger | undefined;
  readonly clock: Clock;
  readonly uuid: () => string;
  /** Resolves that many milliseconds later; rejects when the worker stops or has lost the slot token. */
  readonly pause: (ms: number) => Promise<void>;
  /** Fires when the worker stops, or when its lock on the slot token is lost, so that another worker may have the job. */
  readonly signal: AbortSignal;
  /** Pauses the queue, since the service takes no job of this account. */
  readonly pauseQueue: (error: ServiceError) => Promise<void>;
  /** Calls a listener when the cancellation of this job is asked for; the returned function ends that. */
  readonly onCancel: (id: string, listener: () => void) => () => void;
  /** Warns the worker's program. */
  readonly warn: (message: string) => void;
  /** Absent in the queue of an account. */
  readonly atServer?: AtServer | undefined;
  /** Hands the files of a job that completed on. */
  readonly deliver: ((id: string) => Promise<void>) | undefined;
}

/** What becomes of a job at its server, in a queue over servers. */
export interface AtServer {
  /** What each state of the job tells of it. */
  readonly place: Pick<QueueJobState, 'server' | 'attempt'>;
  /** The server alone refused it, for good or for the moment: others may have it. */
  readonly refused: (why: 'job' | 'later', error: ServiceError) => Promise<void>;
  /** The workflow as the server takes it, which has the files then that it names; Left if it could not get them. */
  readonly bring: (workflow: Workflow) => Promise<Either<ServiceError, Workflow>>;
  /** Forgets that the server has the files at which it refused the workflow, so that it gets them again; false if there are none. */
  readonly forgetRefused: (error: ServiceError, workflow: Workflow) => Promise<boolean>;
  /** The server has lost it; true if it is submitted once more. */
  readonly lost: () => Promise<boolean>;
  /** Learns of its states; errors with `NotFound` where the server has lost the job and it is submitted once more. */
  readonly watch: (states: Observable<JobState>, promptId: string) => Observable<JobState>;
}

/** A job that a worker holds, with its log. */
export interface RunningJob {
  readonly held: HeldJob & { readonly job: QueueRecord };
  readonly context: RunContext;
  readonly own: JobLog;
}

/** A job that is left. */
export interface LeftJob extends Omit<RunningJob, 'context'> {
  readonly context: Pick<RunContext, 'queue' | 'worker' | 'store' | 'logger'>;
}

/** A job whose submission the worker settles at the service. */
export interface ServedJob extends RunningJob {
  readonly service: JobService;
  /** Ends the keeping of the workflow's text, once no further request has it. */
  readonly forgetText: () => void;
  /** Whether its record is deleted after its end. */
  readonly isEphemeral: boolean;
  readonly rules: SubmissionRules;
}

/** The shortest wait before a slot token that goes back may come to this worker again, in milliseconds. */
export const shortestWaitMs = 1_000;

/** Publishes a step of a job that is over now. */
export const report = (
  { held, context: { queue, worker, clock, logger } }: RunningJob,
  step: 'wait' | 'submit' | 'run',
  startedAt: number,
  more?: Partial<Pick<QueueStepMessage, 'promptId' | 'error'>>,
): void =>
  publish(
    `promptwire:queue:${step}`,
    () => ({
      ...{ queue, jobId: held.id, tenant: held.job.tenant, worker },
      ...{ startedAt, endedAt: clock.wall(), ...more },
    }),
    logger,
  );
