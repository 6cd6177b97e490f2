import type { CallOptions } from '../../core/http/rest.js';
import type { JobsPage, ListedJob } from '../../core/endpoints/job-list.js';
import type { ServiceError } from '../../core/errors/errors.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';

/** Which jobs `client.jobs` lists. */
export interface JobsOptions {
  /** Jobs in one of these phases; default all. */
  readonly status?: ListedJob['phase'] | readonly ListedJob['phase'][] | undefined;
  /** Jobs whose submission had all of these labels (API v2). */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Jobs of this workflow: the id of the file in the editor on a local server, of the saved workflow in the cloud. */
  readonly workflowId?: string | undefined;
  /** Jobs to ask for at a time; default 100. */
  readonly pageSize?: number | undefined;
}

/** A question for one page. */
export interface JobsQuery extends Omit<JobsOptions, 'status' | 'pageSize'> {
  readonly phases: readonly ListedJob['phase'][];
  readonly limit: number;
  /** Where it begins, as the page before said it. */
  readonly page: string | undefined;
}

/** Asks for one page. */
export type ListJobs = (query: JobsQuery, options?: CallOptions) => TaskEither<ServiceError, JobsPage>;
