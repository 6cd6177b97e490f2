import type { SubmissionIds } from '../../core/lost/submission-ids.js';
import type { CallOptions, JobRest } from '../../core/http/rest.js';
import type { DeletingOf } from './deletion.js';
import type { ListJobs } from './jobs-query.js';
import type { Endpoint } from '../../core/endpoints/endpoint.js';
import type { Either } from '../../core/protocol/either.js';
import type { FrameSource, FrameSourceOptions } from '../../core/socket/frame-source.js';
import type { HistoryRecord } from '../../core/endpoints/history.js';
import type { HttpConnection, HttpDialect } from '../../core/http/connection.js';
import type { Observable } from 'rxjs';
import type { Platform } from '../../core/platform/platform.js';
import type { ServiceError } from '../../core/errors/errors.js';
import type { ServiceUrls } from '../../core/http/service-urls.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import type { Workflow } from '../../core/protocol/workflow.js';

/**
 * How one kind of server is spoken to. The rest of the client asks the strategy and never which dialect it is, so a new dialect
 * is one file that implements this interface and its entry in `dialects.ts`.
 */
export interface DialectStrategy {
  /** Its public name, under which `dialects.ts` registers it. */
  readonly name: string;
  /** Whether the API key is sent: by calls and by the transport of the events. */
  readonly usesKey: boolean;
  /** The cheapest call that the server refuses where it refuses the key, and else answers. */
  readonly keyCheck: (connection: HttpConnection, options?: CallOptions) => TaskEither<ServiceError, unknown>;
  /** The parts of every call over HTTP: key header, status and record, submission fields, files, words of a refusal. */
  readonly http: HttpDialect;
  /** The REST calls of a client. */
  readonly rest: (connection: HttpConnection) => JobRest;
  /** How events arrive: the source that delivers the frames of all jobs of a client. */
  readonly events: (platform: Platform, options: EventOptions) => FrameSource;
  /**
   * Asks for the end of one job by its id; Right says that the server took the request, not that the job is cancelled, and `found` that
   * it had such a job, which waited or ran. `deleted` is
   * called where a waiting job may be gone though the outcome is Left.
   */
  readonly cancel: (
    rest: Pick<JobRest, 'cancel' | 'cancelJob' | 'interrupt' | 'jobStatus'>,
    promptId: string,
    options?: CallOptions & { readonly deleted?: () => void },
  ) => TaskEither<ServiceError, 'found' | 'asked'>;
  /** Lists the jobs of the server, a page at a time. */
  readonly listJobs: (connection: HttpConnection) => ListJobs;
  /**
   * Cancels many jobs by one request for some of them; Right are those that it does not cancel together. Absent if each is cancelled
   * on its own.
   */
  readonly cancelMany?: (
    connection: HttpConnection,
  ) => (promptIds: readonly string[], options?: CallOptions) => TaskEither<ServiceError, readonly string[]>;
  /** Deletes jobs and files. */
  readonly deleting: DeletingOf;
  /**
   * Looks for the job of a submission whose answer was lost; absent if nothing tells it from others. Where the server gives its own ids
   * (`submissionIds` is `none`), the submission carries its id as a marker.
   */
  readonly findSubmission?: (connection: HttpConnection) => FindSubmission;
  /** The ids of all jobs that run or wait, by one request; where waiting jobs vanish without an event. */
  readonly queuedJobs?: (
    connection: HttpConnection,
    options?: CallOptions,
  ) => TaskEither<ServiceError, ReadonlySet<string>>;
  /** What the server guarantees about its jobs. */
  readonly jobs: JobGuarantees;
  readonly limits: DialectLimits;
  /** How its servers are told from those of other dialects. */
  readonly recognition: DialectRecognition;
}

/** A submission whose answer was lost. */
export interface SoughtSubmission {
  /** The id that it asked for. */
  readonly submissionId: string;
  /** When it left, in milliseconds since 1970. */
  readonly startedAt: number;
  /** The client id that it named. */
  readonly clientId: string;
  readonly workflow: Workflow;
}

/** The ids of the jobs that a submission may have become; Left if the service does not answer. */
export type FindSubmission = (
  sought: SoughtSubmission,
  options?: CallOptions,
) => TaskEither<ServiceError, readonly string[]>;

/** Options of the transport of events. */
export interface EventOptions
  extends
    Pick<
      FrameSourceOptions,
      'lingerMs' | 'headers' | 'redact' | 'redactValue' | 'onHello' | 'maxMessageBytes' | 'earlyBytes'
    >,
    Required<Pick<FrameSourceOptions, 'refusal'>> {
  readonly urls: ServiceUrls;
  /** The key of the moment. */
  readonly key: () => string | undefined;
  /** The headers by which a request of this path carries the key, as the calls of the client do. */
  readonly authHeaders: HttpDialect['authHeaders'];
  /**
   * Reads the record of a job, for a transport whose events do not hold the whole end of a job: once the client's request budget
   * permits it. It emits one answer.
   */
  readonly record: (promptId: string) => Observable<Either<ServiceError, HistoryRecord>>;
  /** The platform whose sockets are recorded, where the client records them. */
  readonly recorded: (platform: Platform) => Platform;
}

/** What a server guarantees about its jobs. */
export interface JobGuarantees {
  /**
   * Whether the events of a job go only to the socket whose client id the submission named. A job that was submitted on another
   * socket is then followed by polling.
   */
  readonly eventsFollowClientId: boolean;
  /** Whether events only add detail, so that a job is polled as though none came; else polls wait while a socket brings them. */
  readonly polledThroughout: boolean;
  /** Whether the status call reads the history as well, so that a missing status needs no second look there. */
  readonly statusIncludesHistory: boolean;
  /** Whether a record appears whole and at the end only; else it may appear early and grow. */
  readonly recordsAppearWhole: boolean;
  /** Whether a frame after the end of a job says that its record is written: that no node runs any more. */
  readonly marksRecords: boolean;
  /** Whether a record holds the messages of the run, so that one without them does not say how it ended. */
  readonly recordsHoldMessages: boolean;
  /** Whether the record of a job can be deleted, where the server has all routes of the dialect. */
  readonly recordsCanBeDeleted: boolean;
  /** Whether status and history know a job from the answer to its submission on. */
  readonly knownOnceSubmitted: boolean;
  /** Whether every socket hears of each change of the queue, so that a silent one is deaf. */
  readonly announcesQueue: boolean;
  /** Whether a waiting job that is gone from queue and history was cancelled; else its end is unknown. */
  readonly cancelledJobsVanish: boolean;
  /** Whether REST may tell the place of a waiting job in the queue, which no event does. */
  readonly tellsPlaces: boolean;
  /** What the server makes of the id of a submission. */
  readonly submissionIds: SubmissionIds;
}

/** The times and rates that differ from dialect to dialect. */
export interface DialectLimits {
  /** How long a job that was never seen may be missing before it is `NotFound`, in milliseconds. */
  readonly notFoundAfterMs: number;
  /** How long the server must answer for other things before a missing job is untraceable, in milliseconds; 0 asks nothing else. */
  readonly servesOthersMs: number;
  /** The longest pause between two polls of a job of which no event has come, in milliseconds. */
  readonly pollsWithinMs: number;
  /** How fast the reads of all jobs together may go out, unless the client's options say otherwise. */
  readonly requestBudget: { readonly perSecond: number; readonly burst: number };
  /** The largest message of the events in bytes, unless the client's options say otherwise. */
  readonly maxMessageBytes: number;
}

/** Calls an endpoint of the server, also one that its dialect may not have. */
export type AskServer = <A>(endpoint: Endpoint<A>) => Promise<Either<ServiceError, A>>;

/** How the servers of a dialect are told from those of others. */
export interface DialectRecognition {
  /** Such a server in a sentence: `a local server`. */
  readonly server: string;
  /** Asks the server for what only this dialect answers; undefined if the answer leaves it open. */
  readonly isSpokenBy: (ask: AskServer) => Promise<boolean | undefined>;
  /** Whether the error says that the server lacks a route that each server of this dialect has. */
  readonly isRouteMissing: (error: ServiceError) => boolean;
  /** Whether no other dialect has these routes, so that an answer of one proves that the server speaks this one. */
  readonly routesAreOwn: boolean;
  /** Whether the account is a route of this dialect, so that its absence counts. */
  readonly hasAccount: boolean;
}
