import { isJsonObject } from '../../core/protocol/json/json.js';
import type { JobPhase } from '../../core/state/job-state.js';
import type { OutputKind } from '../../core/state/output-files.js';
import type { RemoteAsk } from './ask.js';
import type { RemoteJob } from '../../core/events/remote-job.js';
import { readState } from './read-answer.js';

/** Which jobs to list. */
export interface RemoteListOptions {
  /** Only jobs in these phases. */
  readonly phases?: readonly JobPhase[] | undefined;
  /** Only jobs of this template. */
  readonly template?: string | undefined;
  /** Only jobs of the template with this name, or whose label `workflow` is this. */
  readonly workflow?: string | undefined;
  /** Only jobs with these words in their prompts, titles, labels or file names; up to 200 characters. */
  readonly text?: string | undefined;
  /** Only jobs with an output of this kind; temporary files do not count. */
  readonly kind?: OutputKind | undefined;
  /** Only jobs that were submitted then or later, in milliseconds since 1970. */
  readonly since?: number | undefined;
  /** Only jobs that were submitted before then, likewise. */
  readonly until?: number | undefined;
  /** Only jobs with these pairs, three at most. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  /** 1 to 100; default 50. */
  readonly limit?: number | undefined;
  /** The `next` of the page before. */
  readonly after?: string | undefined;
}

/** Jobs, the newest first. */
export interface RemoteJobPage {
  /** The jobs of this page. */
  readonly jobs: readonly RemoteJob[];
  /** The `after` of the next page; absent on the last one. */
  readonly next?: string;
}

/** Lists the caller's jobs. */
export const createList =
  (ask: RemoteAsk) =>
  ({
    phases: status,
    metadata = {},
    after: cursor,
    ...others
  }: RemoteListOptions = {}): Promise<RemoteJobPage> => {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries({ status, cursor, ...others }))
      if (value !== undefined) query.set(name, String(value));
    for (const [name, value] of Object.entries(metadata)) query.set(`metadata[${name}]`, value);
    return ask({ path: `/jobs?${query}` }, readPage);
  };

const readPage = (value: unknown): RemoteJobPage | undefined => {
  if (!isJsonObject(value) || !Array.isArray(value['jobs'])) return undefined;
  const jobs = value['jobs'].map(readJob);
  const { next } = value;
  return jobs.every((job) => job !== undefined)
    ? { jobs, ...(typeof next === 'string' && { next }) }
    : undefined;
};

const readJob = (value: unknown): RemoteJob | undefined => {
  const state = isJsonObject(value) ? readState(value['state']) : undefined;
  if (!isJsonObject(value) || state === undefined) return undefined;
  const { id, createdAt, expiresAt, startedAt, endedAt, cancelRequestedAt, metadata, template } = value;
  if (typeof id !== 'string' || typeof createdAt !== 'number' || typeof expiresAt !== 'number')
    return undefined;
  return {
    ...{ id, state, createdAt, expiresAt },
    ...(typeof startedAt === 'number' && { startedAt }),
    ...(typeof endedAt === 'number' && { endedAt }),
    ...(typeof cancelRequestedAt === 'number' && { cancelRequestedAt }),
    ...(isTexts(metadata) && { metadata }),
    ...(typeof template === 'string' && { template }),
  };
};

const isTexts = (value: unknown): value is Readonly<Record<string, string>> =>
  isJsonObject(value) && Object.values(value).every((text) => typeof text === 'string');
