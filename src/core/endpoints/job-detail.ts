import * as E from '../protocol/either.js';
import type { Endpoint } from './endpoint.js';
import { isJsonObject, isTime } from '../protocol/json/json.js';
import { type JobFailure, readFailure } from '../state/failure.js';
import type { JobPhase } from '../state/job-state.js';
import { type Outputs, readOutputs } from '../state/outputs.js';
import { detailPieces, maxOfWorkflows, type WorkflowOption } from './without-workflow.js';
import { type QueuePlace, readQueuePlace } from '../state/queue-place.js';
import { phaseOfStatus } from '../state/phase-of-status.js';
import { pathPart } from '../protocol/path-part.js';

/** `GET /api/jobs/{id}`, which not every service has (docs/protocol.md, chapters 2 and 11). */
export const jobDetailEndpoint = (promptId: string, options: DetailOptions = {}): Endpoint<JobDetail> => ({
  method: 'GET',
  path: `/api/jobs/${pathPart(promptId)}`,
  ...(options.shortLinks !== undefined && { query: { short_link: linkWords[options.shortLinks] } }),
  idempotency: 'always',
  promptId,
  maxBytes: maxOfWorkflows,
  parsedInPieces: detailPieces(options),
  keepsNumbers: options.workflow === false ? 'outputs' : 'all',
  read: (json, asSent) => readJobDetail(json, promptId, asSent),
});

/** How a job of the jobs API is asked for. */
export interface DetailOptions extends WorkflowOption {
  readonly shortLinks?: 'owner' | 'public' | undefined;
}

const linkWords = { owner: 'default', public: 'ephemeral_tool_chain' } as const;

/** One job in the jobs API, which is newer than status and history and not on every service. */
export interface JobDetail {
  /** The job's id. */
  readonly promptId: string;
  /** The status word as on the wire. */
  readonly status: string;
  /** The phase that `status` stands for; an unknown word means that the job is in flight. */
  readonly phase: Extract<JobPhase, 'pending' | 'in_progress' | 'completed' | 'failed' | 'cancelled'>;
  /** What its nodes made, as far as the jobs API has it. */
  readonly outputs: Outputs;
  /** How many outputs the job has made, where the service counts them; `outputs` may trail that number. */
  readonly outputsCount?: number;
  /** Where it stands in the queue, and why; only while it waits, where the service says so. */
  readonly queue?: QueuePlace;
  /** When it was submitted, in milliseconds since 1970, where the service says so. */
  readonly queuedAt?: number;
  /** When it started, in milliseconds since 1970, where the service says so. */
  readonly startedAt?: number;
  /** When it ended, in milliseconds since 1970, where the service says so. */
  readonly endedAt?: number;
  /** For how long it waited, in milliseconds, where the service measures that (API v2). */
  readonly queueMs?: number;
  /** For how long it ran, likewise. */
  readonly executionMs?: number;
  /** Why it failed, where the service says so. */
  readonly failure?: JobFailure;
  /** The submitted workflow, unchecked, where the service returns it: `readApiWorkflow` reads it. Integers beyond 2^53 are `bigint`. */
  readonly workflow?: unknown;
  /** What was sent as `extra_data`, as far as the service returns it. */
  readonly extraData?: Readonly<Record<string, unknown>>;
}

/** Reads the answer of the jobs API about one job (docs/protocol.md, chapter 2). */
export const readJobDetail = (
  json: unknown,
  promptId: string,
  asSent = json,
): E.Either<string, JobDetail> => {
  if (!isJsonObject(json) || typeof json['status'] !== 'string')
    return E.left('the answer names no status of the job');
  const { status, outputs_count: count, execution_error: error } = json;
  // A run that came to a cycle of its nodes is completed by its word, and failed by its error.
  const word = phaseOfStatus(status);
  const phase = word === 'completed' && isErrorOfRun(error) ? 'failed' : word;
  const { workflow: submitted, outputs } = isJsonObject(asSent) ? asSent : json;
  const place = readQueuePlace(json);
  const { prompt: workflow, extra_data: extraData } = isJsonObject(submitted) ? submitted : {};
  return E.right({
    promptId,
    status,
    phase,
    outputs: readOutputs(outputs),
    ...(isCount(count) && { outputsCount: count }),
    ...(phase === 'pending' && place !== undefined && { queue: place }),
    ...timesOf(json),
    ...(phase === 'failed' && isTold(error) && { failure: readFailure(error) }),
    ...(isJsonObject(workflow) && { workflow }),
    ...(isJsonObject(extraData) && { extraData }),
  });
};

const timesOf = ({
  create_time: queuedAt,
  execution_start_time: startedAt,
  execution_end_time: endedAt,
}: Readonly<Record<string, unknown>>): Pick<JobDetail, 'queuedAt' | 'startedAt' | 'endedAt'> => ({
  ...(isTime(queuedAt) && { queuedAt }),
  ...(isTime(startedAt) && { startedAt }),
  ...(isTime(endedAt) && { endedAt }),
});

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

const isErrorOfRun = (error: unknown): boolean =>
  isJsonObject(error) &&
  typeof error['exception_type'] === 'string' &&
  error['exception_type'] !== 'ExecutionBlocked';

const isTold = (error: unknown): boolean =>
  isJsonObject(error) || (typeof error === 'string' && error !== '');
