import * as E from '../../protocol/either.js';
import type { Endpoint } from '../endpoint.js';
import { isJsonObject } from '../../protocol/json/json.js';
import { pathPart } from '../../protocol/path-part.js';

/** What every operation of API v2 lies under (docs/protocol.md, chapter 12.1). */
export const v2Root = '/api/v2';

/** The path of one job; the paths of its operations begin with it. */
export const jobPath = (id: string): string => `${v2Root}/jobs/${pathPart(id)}`;

/** `GET /api/v2/jobs/{id}`: the job as it stands (docs/protocol.md, chapter 12.5). */
export const jobEndpoint = <A>(id: string, read: (job: JobDocument) => A): Endpoint<A> => ({
  method: 'GET',
  path: jobPath(id),
  idempotency: 'always',
  promptId: id,
  read: reading(read),
});

/** `POST /api/v2/jobs/{id}/cancel`: asks for the end of the job, which an answer does not say to have come. */
export const cancelJobEndpoint = <A>(id: string, read: (job: JobDocument) => A): Endpoint<A> => ({
  ...jobEndpoint(id, read),
  method: 'POST',
  path: `${jobPath(id)}/cancel`,
});

/** The question for a job that no service has: refused where the key is, and else `NotFound`. */
export const noJobEndpoint = (): Endpoint<void> =>
  jobEndpoint('00000000-0000-0000-0000-000000000000', () => undefined);

/** A job as API v2 sends it: only the id and the word for its status are relied on. */
export interface JobDocument {
  readonly id: string;
  readonly status: string;
  readonly [member: string]: unknown;
}

/** Makes the reader of an answer that is one job. */
export const reading =
  <A>(read: (job: JobDocument) => A) =>
  (json: unknown): E.Either<string, A> =>
    isJob(json) ? E.right(read(json)) : E.left('the answer is no job: it has no id and status');

const isJob = (json: unknown): json is JobDocument =>
  isJsonObject(json) &&
  typeof json['id'] === 'string' &&
  json['id'] !== '' &&
  typeof json['status'] === 'string';
