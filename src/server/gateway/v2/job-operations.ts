import { json } from '../http/respond.js';
import { largeJson } from '../http/large-json.js';
import { type RouteContext, withJob } from './context.js';
import type { GatewayJob } from '../model/gateway-jobs.js';
import { isLeft } from '../../../core/protocol/either.js';
import { jobDocument, statusOf } from './job-document.js';
import { jobNotFound, refusalOf, unknownCursor } from './refusal.js';
import { openEvents } from './open-events.js';
import { readListQuery } from './list-query.js';
import type { Refusal } from '../http/refusal.js';
import type { RouteCall } from '../http/route.js';
import { submitJob } from './submit-job.js';
import { timestamp } from './documents.js';

/** The operations on jobs of API v2. */
export const v2JobOperations = (context: RouteContext) => {
  const { jobs, sizes } = context;
  const document = async (call: RouteCall, job: GatewayJob): Promise<Response> =>
    largeJson(call, jobDocument(job, call.base, await sizes.of(job)));

  return {
    submit: submitJob(context),
    list: async ({ url, caller, pause }: RouteCall): Promise<Response | Refusal> => {
      const query = readListQuery(url.searchParams);
      if (isLeft(query)) return query.left;
      const { cursor: after, ...filter } = query.right;
      const page = await jobs.list(caller, { ...filter, after }, pause);
      if (page === undefined) return unknownCursor;
      return json({ jobs: page.jobs.map(listItem), next_cursor: page.next });
    },
    show: withJob(context, document),
    workflow: withJob(context, (call, { record }) =>
      largeJson(call, { workflow: record.workflow, format: 'api' }),
    ),
    // No service behind the gateway keeps a log of one job.
    logs: withJob(context, () => new Response(null, { status: 204 })),
    cancel: async (call: RouteCall): Promise<Response | Refusal> => {
      const result = await jobs.cancel(call.caller, call.params['id'] ?? '');
      if (result === undefined) return jobNotFound;
      // That the service does not stop the job is no failure: the request is remembered, and the job's end tells.
      const isTaken = result._tag === 'taken' || !isOutage.has(result.error._tag);
      return isTaken ? document(call, result.job) : refusalOf(result.error);
    },
    events: openEvents(context, 'v2'),
  };
};

const isOutage: ReadonlySet<string> = new Set(['Network', 'Timeout', 'Closed', 'ServerError', 'RateLimited']);

const listItem = (job: GatewayJob) => {
  const { record } = job;
  const { createdAt, cancelRequestedAt = createdAt } = record;
  const { startedAt = createdAt, endedAt = createdAt } = job;
  const updatedAt = Math.max(createdAt, cancelRequestedAt, startedAt, endedAt);
  return {
    id: record.id,
    status: statusOf(job),
    create_time: timestamp(createdAt),
    update_time: timestamp(updatedAt),
    metadata: record.metadata,
  };
};
