import * as E from '../protocol/either.js';
import type { Endpoint } from './endpoint.js';
import { isJsonObject, isTime } from '../protocol/json/json.js';
import { maxOfWorkflows, recentPieces } from './without-workflow.js';
import { pathPart } from '../protocol/path-part.js';

/** A job of the history as its listing describes it. */
export interface RecentJob {
  /** The job's id. */
  readonly promptId: string;
  /** When it was submitted, or else began to run, in milliseconds since 1970, where the service says so. */
  readonly createdAt?: number | undefined;
  /** The workflow, unchecked, where the service lists it: `readApiWorkflow` reads it. Integers beyond 2^53 are `bigint`. */
  readonly workflow?: unknown;
  /** What was sent as `extra_data`, as far as the service lists it. */
  readonly extraData?: Readonly<Record<string, unknown>> | undefined;
}

/** Where the history is: of a local server, and of a cloud service. */
export type HistoryRoute = 'history' | 'history_v2';

/** How many jobs are listed where the caller names no limit. */
const defaultLimit = 32;

/**
 * `GET /api/history` of a local server, `GET /api/history_v2` of a cloud service: the latest jobs that ended
 * (docs/protocol.md, chapters 2 and 11).
 */
export const recentJobsEndpoint = (
  route: HistoryRoute,
  limit = defaultLimit,
): Endpoint<readonly RecentJob[]> => ({
  method: 'GET',
  path: `/api/${route}`,
  query: { max_items: String(limit) },
  idempotency: 'always',
  maxBytes: maxOfWorkflows,
  parsedInPieces: recentPieces,
  keepsNumbers: 'all',
  read: (json, asSent = json) => readRecentJobs(asSent),
});

/** One of these jobs again, for the workflow that the listing of a cloud service leaves out. */
export const recentJobEndpoint = (route: HistoryRoute, promptId: string): Endpoint<readonly RecentJob[]> => ({
  method: 'GET',
  path: `/api/${route}/${pathPart(promptId)}`,
  idempotency: 'always',
  promptId,
  maxBytes: maxOfWorkflows,
  parsedInPieces: recentPieces,
  keepsNumbers: 'all',
  read: (json, asSent = json) =>
    isJsonObject(asSent) && isJsonObject(asSent['prompt'])
      ? E.right(readJob([promptId, asSent]))
      : readRecentJobs(asSent),
});

/** Reads a map from ids to records, or a list of records under `history`. */
const readRecentJobs = (json: unknown): E.Either<string, readonly RecentJob[]> => {
  if (!isJsonObject(json)) return E.left('the history is no object');
  const listed = json['history'];
  if (!Array.isArray(listed)) return E.right(Object.entries(json).flatMap(readJob));
  return E.right(
    listed.flatMap((record: unknown) =>
      isJsonObject(record) && typeof record['prompt_id'] === 'string'
        ? readJob([record['prompt_id'], record])
        : [],
    ),
  );
};

const readJob = ([promptId, record]: readonly [string, unknown]): readonly RecentJob[] => {
  if (!isJsonObject(record)) return [];
  const { prompt, status, create_time: time } = record;
  const [workflow, extra] = Array.isArray(prompt)
    ? [prompt[2] as unknown, prompt[3] as unknown]
    : isJsonObject(prompt)
      ? [prompt['prompt'], prompt['extra_data']]
      : [];
  const created = isJsonObject(extra) ? extra['create_time'] : undefined;
  return [
    {
      promptId,
      createdAt: [time, created, startOf(status)].find(isTime),
      workflow,
      ...(isJsonObject(extra) && { extraData: extra }),
    },
  ];
};

const startOf = (status: unknown): unknown => {
  const messages = isJsonObject(status) ? status['messages'] : undefined;
  const start = (Array.isArray(messages) ? messages : []).find(
    (message: unknown) => Array.isArray(message) && message[0] === 'execution_start',
  ) as readonly unknown[] | undefined;
  return isJsonObject(start?.[1]) ? start[1]['timestamp'] : undefined;
};
