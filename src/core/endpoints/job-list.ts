import * as E from '../protocol/either.js';
import type { Endpoint } from './endpoint.js';
import { isJsonObject } from '../protocol/json/json.js';
import type { JobDetail } from './job-detail.js';
import { readJobDetail } from './job-detail.js';

/** A job as a service lists it: without its outputs and its workflow. */
export interface ListedJob extends Pick<
  JobDetail,
  'promptId' | 'status' | 'phase' | 'queuedAt' | 'startedAt' | 'endedAt' | 'outputsCount' | 'failure'
> {
  /** The id of the workflow: of the file in the editor on a local server, of the saved workflow in the cloud. */
  readonly workflowId?: string;
  /** What its submission was labelled with, in API v2. */
  readonly labels?: Readonly<Record<string, string>>;
}

/** One page of a listing. */
export interface JobsPage {
  readonly jobs: readonly ListedJob[];
  /** Leads to the next page; absent on the last one. */
  readonly next?: string;
}

/** `GET /api/jobs`: one page of the jobs (docs/protocol.md, chapters 2.13 and 11). */
export const jobsPageEndpoint = (query: Readonly<Record<string, string>>): Endpoint<JobsPage> => ({
  method: 'GET',
  path: '/api/jobs',
  query,
  idempotency: 'always',
  read: readJobsPage,
});

/** Reads a page: the cursor of the next one, or its offset where the service has no cursors. */
export const readJobsPage = (json: unknown): E.Either<string, JobsPage> => {
  if (!isJsonObject(json) || !Array.isArray(json['jobs'])) return E.left('the answer lists no jobs');
  const jobs = (json['jobs'] as readonly unknown[]).flatMap(readListedJob);
  const pagination = isJsonObject(json['pagination']) ? json['pagination'] : {};
  const next = nextOf(pagination, json['jobs'].length);
  return E.right({ jobs, ...(next !== undefined && { next }) });
};

const readListedJob = (job: unknown): readonly ListedJob[] => {
  if (!isJsonObject(job) || typeof job['id'] !== 'string') return [];
  const read = readJobDetail(job, job['id']);
  if (E.isLeft(read)) return [];
  const { promptId, status, phase, queuedAt, startedAt, endedAt, outputsCount, failure } = read.right;
  const { workflow_id: workflowId } = job;
  return [
    {
      promptId,
      status,
      phase,
      ...(queuedAt !== undefined && { queuedAt }),
      ...(startedAt !== undefined && { startedAt }),
      ...(endedAt !== undefined && { endedAt }),
      ...(outputsCount !== undefined && { outputsCount }),
      ...(failure !== undefined && { failure }),
      ...(typeof workflowId === 'string' && { workflowId }),
    },
  ];
};

const nextOf = (pagination: Readonly<Record<string, unknown>>, count: number): string | undefined => {
  const { next_cursor: cursor, has_more: hasMore, offset } = pagination;
  if (typeof cursor === 'string') return cursor === '' ? undefined : cursor;
  return hasMore === true && typeof offset === 'number' && count > 0 ? String(offset + count) : undefined;
};
