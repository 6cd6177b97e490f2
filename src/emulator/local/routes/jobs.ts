import type { Answer } from '../../http/answer.js';
import { asJsonObject } from '../../http/request.js';
import { endedEntry, type JobEntry, jobWords, queuedEntry, sortable } from '../job-document.js';
import type { LocalJob } from '../run-local-job.js';
import type { LocalHandler, LocalService } from '../local-service.js';
import { isUuid } from '../../uuid.js';
import { localJson, readBody } from '../local-http.js';

/** `GET /api/jobs`: a page of all jobs, or of those of a status or a workflow, without their workflows and outputs. */
export const listJobs: LocalHandler = ({ service, query }) => {
  const filter = readFilter(query);
  if (typeof filter === 'string') return refused(filter);
  const { words, sortBy, isAscending, limit, offset } = filter;
  const workflowId = query.get('workflow_id');
  const items = entries(service)
    .map(({ item }) => item)
    .filter(({ status }) => words === undefined || words.includes(status))
    .filter((item) => workflowId === null || item['workflow_id'] === workflowId);
  const order = isAscending ? 1 : -1;
  const keyOf = keys[sortBy];
  const sorted = items.toSorted((a, b) => order * (keyOf(a) - keyOf(b)));
  const page = sorted.slice(offset, limit === undefined ? undefined : offset + limit);
  return localJson({
    jobs: page,
    pagination: {
      offset,
      limit: limit ?? null,
      total: sorted.length,
      has_more: offset + page.length < sorted.length,
    },
  });
};

/** `GET /api/jobs/{id}`: one job, from the history before the queue. */
export const jobOf: LocalHandler = ({ service, params: [promptId = ''] }) => {
  const record = service.queue.history.get(promptId);
  const [found] =
    record === undefined
      ? queued(service, ({ id }) => id === promptId)
      : [endedEntry(promptId, record, service.settings.facts)];
  return found === undefined ? jobNotFound : localJson({ ...found.item, ...found.more });
};

/** `POST /api/jobs/{id}/cancel`: whether there was such a job to cancel. */
export const cancelJob: LocalHandler = ({ service: { queue }, params: [promptId = ''] }) =>
  localJson({ cancelled: queue.cancel(promptId) });

/** `POST /api/jobs/cancel`: whether any of these jobs was there to cancel; ids of other forms refuse the whole. */
export const cancelJobs: LocalHandler = async ({ service: { queue }, text }) => {
  const named = asJsonObject(readLenient(await text()))?.['job_ids'];
  if (!Array.isArray(named)) return refused('job_ids takes a list of job ids');
  const invalid = named.filter((id) => typeof id !== 'string' || !isUuid(id));
  if (invalid.length > 0)
    return localJson({ error: 'Invalid job ids', invalid_ids: invalid.map(String) }, 400);
  const acted = named.map((id) => queue.cancel(String(id)));
  return localJson({ cancelled: acted.includes(true) });
};

/** The 404 of one job. */
export const jobNotFound: Answer = localJson({ error: 'Job not found' }, 404);

const refused = (error: string): Answer => localJson({ error }, 400);

const readLenient = (text: string): unknown => {
  try {
    return readBody(text);
  } catch {
    return undefined;
  }
};

const entries = (service: LocalService): readonly JobEntry[] => [
  ...queued(service),
  ...[...service.queue.history].map(([id, record]) => endedEntry(id, record, service.settings.facts)),
];

const queued = (
  { queue, settings: { facts } }: LocalService,
  isWanted: (job: LocalJob) => boolean = () => true,
): readonly JobEntry[] => [
  ...queue
    .running()
    .filter(isWanted)
    .map((job) => queuedEntry(job, 'in_progress', facts)),
  ...queue
    .pending()
    .filter(isWanted)
    .map((job) => queuedEntry(job, 'pending', facts)),
];

interface Filter {
  readonly words: readonly string[] | undefined;
  readonly sortBy: keyof typeof keys;
  readonly isAscending: boolean;
  readonly limit: number | undefined;
  readonly offset: number;
}

/** Reads the query, or says what is wrong with it. */
const readFilter = (query: URLSearchParams): Filter | string => {
  const status = query.get('status') ?? '';
  const words = status === '' ? undefined : status.split(',').map((word) => word.trim().toLowerCase());
  const wanted = words?.filter((word) => word !== '');
  const odd = wanted?.filter((word) => !jobWords.some((known) => known === word)) ?? [];
  if (odd.length > 0) return `Invalid status: ${odd.join(', ')}. Valid: ${jobWords.join(', ')}`;
  const order = readOrder(query);
  if (typeof order === 'string') return order;
  const limit = whole(query.get('limit'));
  if (limit === null || (limit !== undefined && limit < 1)) return 'limit takes an integer from 1';
  const offset = whole(query.get('offset'));
  if (offset === null) return 'offset takes an integer';
  return { words: wanted, ...order, limit, offset: Math.max(0, offset ?? 0) };
};

const readOrder = (query: URLSearchParams): Pick<Filter, 'sortBy' | 'isAscending'> | string => {
  const sortBy = (query.get('sort_by') ?? 'created_at').toLowerCase();
  if (sortBy !== 'created_at' && sortBy !== 'execution_duration') return `Invalid sort_by: ${sortBy}`;
  const sortOrder = (query.get('sort_order') ?? 'desc').toLowerCase();
  if (sortOrder !== 'asc' && sortOrder !== 'desc') return `Invalid sort_order: ${sortOrder}`;
  return { sortBy, isAscending: sortOrder === 'asc' };
};

/** Undefined if it is absent, null if it is no integer. */
const whole = (text: string | null): number | null | undefined => {
  if (text === null) return undefined;
  return /^[+-]?\d+$/u.test(text.trim()) ? Number(text) : null;
};

const keys = {
  created_at: (item: JobEntry['item']): number => sortable(item['create_time']),
  execution_duration: ({ execution_start_time: start, execution_end_time: end }: JobEntry['item']): number =>
    start === undefined || end === undefined ? 0 : sortable(end) - sortable(start),
};
