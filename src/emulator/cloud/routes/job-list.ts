import { type Answer, json, refusal } from '../../http/answer.js';
import type { EventData } from '../../messages.js';
import { filesOf } from '../job-files.js';
import type { Handler } from '../handler.js';
import { isUuid } from '../../uuid.js';
import { type Job, stateOf } from '../../scheduler/job.js';
import { readJsonObject } from '../../http/request.js';

/** `GET /api/jobs`: a page of the account's jobs, by cursor where they are sorted by their time. */
export const listJobs: Handler = ({ account, query }) => {
  const filter = readFilter(query);
  if (typeof filter === 'string') return refusal(400, 'BAD_REQUEST', filter);
  const { words, sortBy, isAscending, limit, offset, after } = filter;
  const { workflowId, outputType } = filter;
  const matching = account.scheduler
    .jobs()
    .filter((job) => words === undefined || words.includes(stateOf(job.status)))
    .filter((job) => workflowId === null || job.workflowId === workflowId)
    .filter((job) => outputType === null || hasOutput(job, outputType));
  const key = keys[sortBy];
  const order = isAscending ? 1 : -1;
  const sorted = matching.toSorted((a, b) => order * (key(a) - key(b) || a.number - b.number));
  const isByCursor = after !== undefined && sortBy === 'create_time';
  const at = isByCursor ? sorted.findIndex(({ id }) => id === after) : -1;
  if (isByCursor && at < 0) return refusal(400, 'BAD_REQUEST', 'The cursor is not known.');
  const start = isByCursor ? at + 1 : offset;
  const page = sorted.slice(start, start + limit);
  const last = page.at(-1);
  const hasMore = start + page.length < sorted.length;
  return json({
    jobs: page.map(itemOf),
    pagination: {
      offset: isByCursor ? 0 : offset,
      limit,
      // With a cursor the service does not count.
      total: isByCursor ? 0 : sorted.length,
      has_more: hasMore,
      ...(hasMore && sortBy === 'create_time' && last !== undefined && { next_cursor: cursorOf(last) }),
    },
  });
};

/** `POST /api/jobs/cancel`: cancels up to 100 jobs, all of which the account has; answers which of them it acted on. */
export const cancelJobs: Handler = async ({ account: { scheduler }, text }) => {
  const body = readJsonObject(await text());
  const named = body?.['job_ids'];
  if (!Array.isArray(named) || Object.keys(body ?? {}).length !== 1 || named.length < 1 || named.length > 100)
    return refusal(400, 'BAD_REQUEST', 'The body takes `job_ids`, 1 to 100 ids of jobs.');
  const ids = (named as unknown[]).map(String);
  if (ids.some((id) => !isUuid(id))) return refusal(400, 'BAD_REQUEST', 'An id is no UUID.');
  if (ids.some((id) => scheduler.job(id) === undefined))
    return refusal(404, 'NOT_FOUND', 'One of the jobs is not known.');
  return json({ cancelled: ids.filter((id) => scheduler.cancel(id)) });
};

/** `POST /api/jobs/{id}/cancel`: cancels one job and answers whether there was one to cancel. */
export const cancelJob: Handler = ({ account: { scheduler }, params }): Answer => {
  const [promptId = ''] = params;
  if (!isUuid(promptId)) return refusal(400, 'BAD_REQUEST', 'The id is no UUID.');
  if (!scheduler.job(promptId)) return refusal(404, 'NOT_FOUND', 'There is no such job.');
  return json({ cancelled: scheduler.cancel(promptId) });
};

const itemOf = (job: Job): EventData => ({
  id: job.id,
  status: stateOf(job.status),
  create_time: job.createdAt,
  ...(job.workflowId !== undefined && { workflow_id: job.workflowId }),
  ...(job.endedAt !== undefined && {
    execution_start_time: job.startedAt,
    execution_end_time: job.endedAt,
    outputs_count: [...job.outputs.values()].flatMap(filesOf).length,
  }),
  ...(job.failure !== undefined && { execution_error: job.failure }),
});

const cursorOf = ({ id }: Job): string => Buffer.from(`after ${id}`).toString('base64url');

const readCursor = (text: string): string => {
  const [, id = ''] = Buffer.from(text, 'base64url').toString().split(' ');
  return id;
};

const words: readonly string[] = ['pending', 'in_progress', 'completed', 'failed', 'cancelled'];

/** The key of a node's output for each type that the list filters by. */
const outputKeys: Readonly<Record<string, readonly string[]>> = {
  image: ['images'],
  video: ['video', 'videos', 'gifs'],
  audio: ['audio'],
  '3d': ['3d', 'result'],
};

const hasOutput = (job: Job, type: string): boolean =>
  job.endedAt !== undefined &&
  [...job.outputs.values()].some((output) => outputKeys[type]?.some((key) => key in output));

const keys = {
  create_time: (job: Job): number => job.createdAt,
  execution_time: ({ startedAt, endedAt }: Job): number =>
    startedAt === undefined || endedAt === undefined ? 0 : endedAt - startedAt,
};

interface Filter {
  readonly words: readonly string[] | undefined;
  readonly workflowId: string | null;
  readonly outputType: string | null;
  readonly sortBy: keyof typeof keys;
  readonly isAscending: boolean;
  readonly limit: number;
  readonly offset: number;
  readonly after: string | undefined;
}

/** Reads the query, or says what is wrong with it. */
const readFilter = (query: URLSearchParams): Filter | string => {
  const status = query.get('status');
  const wanted = status === null || status === '' ? undefined : status.split(',').map((word) => word.trim());
  if (wanted?.some((word) => !words.includes(word))) return `status takes ${words.join(', ')}`;
  const outputType = query.get('output_type');
  if (outputType !== null && !(outputType in outputKeys))
    return `output_type takes ${Object.keys(outputKeys).join(', ')}`;
  const order = readOrder(query);
  if (typeof order === 'string') return order;
  const page = readPage(query);
  if (typeof page === 'string') return page;
  const cursor = query.get('after');
  return {
    words: wanted,
    workflowId: query.get('workflow_id'),
    outputType,
    ...order,
    ...page,
    after: cursor === null ? undefined : readCursor(cursor),
  };
};

const readOrder = (query: URLSearchParams): Pick<Filter, 'sortBy' | 'isAscending'> | string => {
  const sortBy = query.get('sort_by') ?? 'create_time';
  if (sortBy !== 'create_time' && sortBy !== 'execution_time')
    return 'sort_by takes create_time, execution_time';
  const sortOrder = query.get('sort_order') ?? 'desc';
  if (sortOrder !== 'asc' && sortOrder !== 'desc') return 'sort_order takes asc, desc';
  return { sortBy, isAscending: sortOrder === 'asc' };
};

const readPage = (query: URLSearchParams): Pick<Filter, 'limit' | 'offset'> | string => {
  const limit = Number(query.get('limit') ?? '100');
  if (!Number.isInteger(limit) || limit < 1 || limit > 1000) return 'limit takes 1 to 1000';
  const offset = Number(query.get('offset') ?? '0');
  return Number.isInteger(offset) && offset >= 0 ? { limit, offset } : 'offset takes an integer from 0';
};
