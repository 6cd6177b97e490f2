import { concatMap, defer, finalize, from, type Observable } from 'rxjs';
import * as E from '../../core/protocol/either.js';
import type { JobsOptions, ListJobs } from '../dialects/jobs-query.js';
import type { ListedJob } from '../../core/endpoints/job-list.js';
import type { ServiceError } from '../../core/errors/errors.js';
import { serviceError } from '../../core/errors/service-error.js';

/** The jobs of a service: a cold stream, and an async iterable that asks for a page when it is needed. */
export type JobList = Observable<ListedJob> & AsyncIterable<ListedJob>;

/** Lists jobs page by page, each job once. */
export const listJobs = (ask: ListJobs, options: JobsOptions = {}): JobList => {
  const pages = (signal?: AbortSignal) => pagesOf(ask, options, signal);
  const stream = defer(() => {
    const left = new AbortController();
    return from(pages(left.signal)).pipe(
      concatMap((jobs) => jobs),
      finalize(() => left.abort()),
    );
  });
  return Object.assign(stream, {
    async *[Symbol.asyncIterator](): AsyncGenerator<ListedJob> {
      for await (const jobs of pages()) yield* jobs;
    },
  });
};

async function* pagesOf(
  ask: ListJobs,
  { status = [], pageSize: limit = 100, labels, workflowId }: JobsOptions,
  signal?: AbortSignal,
): AsyncGenerator<readonly ListedJob[]> {
  const phases = typeof status === 'string' ? [status] : status;
  const isWanted = ({ phase }: ListedJob): boolean => phases.length === 0 || phases.includes(phase);
  const listed = new Set<string>();
  const followed = new Set<string>();
  let page: string | undefined;
  do {
    const answer = await ask({ phases, labels, workflowId, limit, page }, { signal })();
    if (E.isLeft(answer)) throw answer.left;
    // Jobs that come meanwhile push others to the next page.
    yield answer.right.jobs.filter((job) => isWanted(job) && !listed.has(job.promptId));
    for (const { promptId } of answer.right.jobs) listed.add(promptId);
    page = answer.right.next;
    if (page !== undefined && followed.has(page)) throw sameCursor();
    if (page !== undefined) followed.add(page);
  } while (page !== undefined);
}

const sameCursor = (): ServiceError =>
  serviceError('ProtocolChanged', {
    message: 'The list of jobs leads back to a page that was read: it has no end.',
  });
