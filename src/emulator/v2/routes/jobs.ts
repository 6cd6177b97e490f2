import { json } from '../../http/answer.js';
import { envelope } from '../envelope.js';
import { missing } from '../refusals.js';
import type { V2Handler } from '../v2-service.js';

/** `GET /jobs/{id}`: the job as it is now. */
export const getJob: V2Handler = ({ service, account, params, origin }) => {
  const feed = account.jobs.get(params[0] ?? '');
  return feed ? json(service.documents.job(feed, origin)) : missing(service, 'job');
};

/** `POST /jobs/{id}/cancel`: asks for the job's end; a job that has ended stays as it is. */
export const cancelJob: V2Handler = ({ service, account, params, origin }) => {
  const feed = account.jobs.get(params[0] ?? '');
  if (!feed) return missing(service, 'job');
  account.base.scheduler.cancel(feed.job.id);
  return json(service.documents.job(feed, origin));
};

/** `GET /jobs/{id}/workflow`: the graph as it was submitted. */
export const getWorkflow: V2Handler = ({ service, account, params }) => {
  const feed = account.jobs.get(params[0] ?? '');
  return feed ? json({ workflow: feed.job.prompt, format: 'api' }) : missing(service, 'job');
};

/** `GET /jobs/{id}/logs`: the job's log, or 204 if the job has no log. */
export const getLogs: V2Handler = ({ service, account, params }) => {
  const { switches, clock } = service.base.settings;
  const feed = account.jobs.get(params[0] ?? '');
  if (!feed) return missing(service, 'job');
  if (!switches.logs || feed.job.startedAt === undefined) return { status: 204 };
  const lines = feed.job.messages.map(([type]) => `${type}\n`);
  return json({
    text: lines.join(''),
    truncated: false,
    captured_at: new Date(clock.now()).toISOString(),
    complete: feed.job.endedAt !== undefined,
  });
};

/** `GET /jobs`: a page of the account's jobs, the newest first. */
export const listJobs: V2Handler = ({ service, account, query }) => {
  const { switches } = service.base.settings;
  if (!switches.jobList) return envelope(501, 'not_implemented', 'This server does not list jobs.');
  const limit = Number(query.get('limit') ?? '50');
  if (!Number.isInteger(limit) || limit < 1 || limit > 100) {
    return envelope(400, 'invalid_request', '`limit` takes 1 to 100.');
  }
  const filters = [...query].flatMap(([name, value]) => {
    const [, key] = /^metadata\[(.*)\]$/su.exec(name) ?? [];
    return key === undefined ? [] : [[key, value] as const];
  });
  if (filters.length > 3 || filters.some(([key]) => !/^[\w.-]{1,40}$/u.test(key))) {
    return envelope(400, 'invalid_metadata_filter', 'A list takes up to three `metadata[key]=value`.');
  }
  const matching = account.jobs
    .all()
    .filter((feed) => filters.every(([key, value]) => feed.metadata()?.[key] === value));
  const cursor = query.get('cursor');
  const start = cursor === null ? 0 : matching.findIndex(({ job }) => job.id === cursor) + 1;
  if (cursor !== null && start === 0) return envelope(400, 'invalid_cursor', 'The cursor is not known.');
  const page = matching.slice(start, start + limit);
  const last = page.at(-1);
  return json({
    jobs: page.map((feed) => {
      const metadata = feed.metadata();
      return {
        id: feed.job.id,
        status: feed.status(),
        create_time: new Date(feed.job.createdAt).toISOString(),
        update_time: new Date(feed.job.updatedAt).toISOString(),
        ...(metadata === undefined ? {} : { metadata }),
      };
    }),
    ...(last !== undefined && start + limit < matching.length ? { next_cursor: last.job.id } : {}),
  });
};
