import { json } from '../http/respond.js';
import { type RouteContext, withJob } from './context.js';
import type { GatewayJob } from '../jobs/gateway-jobs.js';
import { isLeft } from '../../protocol/either.js';
import { jobDocument, statusOf } from './job-document.js';
import { jobNotFound, refusalOf, unknownCursor } from './refusal.js';
import { openEvents } from './open-events.js';
import { readListQuery } from './list-query.js';
import type { Route, RouteCall } from '../http/route.js';
import { submitJob } from './submit-job.js';
import { timestamp } from './documents.js';

/** The operations on jobs of API v2. */
export const v2JobRoutes = (context: RouteContext): readonly Route[] => {
  const { jobs, sizes } = context;
  const document = async (call: RouteCall, job: GatewayJob, status = 200): Promise<Response> =>
    json(jobDocument(job, call.base, await sizes.of(job)), status);
  const route = (
    method: Route['method'],
    path: string,
    handle: Route['handle'],
    more: Partial<Route> = {},
  ): Route => ({ method, path: `/api/v2/jobs${path}`, access: 'caller', errors: 'v2', handle, ...more });

  return [
    route('POST', '', submitJob(context)),
    route('GET', '', async (call) => {
      const query = readListQuery(call.url.searchParams);
      if (isLeft(query)) return query.left;
      const { cursor: after, ...filter } = query.right;
      const page = await jobs.list(call.caller, { ...filter, after });
      if (page === undefined) return unknownCursor;
      return json({
        jobs: page.jobs.map(listItem),
        ...(page.next === undefined ? {} : { next_cursor: page.next }),
      });
    }),
    route(
      'GET',
      '/:id',
      withJob(context, (call, job) => document(call, job)),
      { unlimited: true },
    ),
    route(
      'GET',
      '/:id/workflow',
      withJob(context, (_, { record }) => json({ workflow: record.workflow, format: 'api' })),
    ),
    route(
      'GET',
      '/:id/logs',
      // No service behind the gateway keeps a log of one job.
      withJob(context, () => new Response(null, { status: 204 })),
    ),
    route('POST', '/:id/cancel', async (call) => {
      const result = await jobs.cancel(call.caller, call.params['id'] ?? '');
      if (result === undefined) return jobNotFound;
      // That the service does not stop the job is no failure: the request is remembered, and the job's end tells.
      const isTaken = result._tag === 'taken' || !isOutage.has(result.error._tag);
      return isTaken ? document(call, result.job) : refusalOf(result.error);
    }),
    route('GET', '/:id/events', openEvents(context, 'v2'), { access: 'ticket', stream: true }),
  ];
};

const isOutage: ReadonlySet<string> = new Set(['Network', 'Timeout', 'Closed', 'ServerError', 'RateLimited']);

const listItem = (job: GatewayJob) => {
  const { record, startedAt = 0, endedAt = 0 } = job;
  const updatedAt = Math.max(record.createdAt, record.cancelRequestedAt ?? 0, startedAt, endedAt);
  return {
    id: record.id,
    status: statusOf(job),
    create_time: timestamp(record.createdAt),
    update_time: timestamp(updatedAt),
    ...(record.metadata === undefined ? {} : { metadata: record.metadata }),
  };
};
