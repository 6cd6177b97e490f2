import { answerOf, type Asking } from './ask.js';
import { isJsonObject } from '../protocol/json/json.js';
import type { JobPhase, JobState } from 'promptwire';
import { jsonBy, readState } from './read-answer.js';

/** Which jobs to list. */
export interface RemoteListOptions {
  /** Only jobs in these phases. */
  readonly phases?: readonly JobPhase[] | undefined;
  /** Only jobs of this template. */
  readonly template?: string | undefined;
  /** Only jobs with these pairs, three at most. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  /** 1 to 100; default 50. */
  readonly limit?: number | undefined;
  /** The `next` of the page before. */
  readonly after?: string | undefined;
}

/** One of the caller's jobs. Times are in milliseconds since 1970. */
export interface RemoteJob {
  /** The gateway's id of the job, which `follow` takes. */
  readonly id: string;
  /** As it was when the gateway answered; its `promptId` is `id`. */
  readonly state: JobState;
  /** When it was submitted. */
  readonly createdAt: number;
  /** When the gateway forgets the job. */
  readonly expiresAt: number;
  /** When it began to run. */
  readonly startedAt?: number;
  /** When it ended. */
  readonly endedAt?: number;
  /** When its end was asked for. */
  readonly cancelRequestedAt?: number;
  /** As submitted. */
  readonly metadata?: Readonly<Record<string, string>>;
  /** The template that it is of. */
  readonly template?: string;
}

/** Jobs, the newest first. */
export interface RemoteJobPage {
  /** The jobs of this page. */
  readonly jobs: readonly RemoteJob[];
  /** What `after` takes for the next page; absent on the last one. */
  readonly next?: string;
}

/** Lists the caller's jobs. */
export const listBy =
  ({ ask, someTimes }: Asking) =>
  ({ phases, template, metadata = {}, limit, after }: RemoteListOptions = {}): Promise<RemoteJobPage> => {
    const query = new URLSearchParams();
    const set = (name: string, value: string | undefined): void => {
      if (value !== undefined) query.set(name, value);
    };
    set('status', phases?.join());
    set('template', template);
    set('limit', limit?.toString());
    set('cursor', after);
    for (const [name, value] of Object.entries(metadata)) set(`metadata[${name}]`, value);
    return answerOf(ask({ path: `/jobs?${query}` }, jsonBy(readPage), someTimes));
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
  if (!isJsonObject(value) || state === undefined || typeof value['id'] !== 'string') return undefined;
  const { id, createdAt, expiresAt, startedAt, endedAt, cancelRequestedAt, metadata, template } =
    value as unknown as RemoteJob;
  return {
    ...{ id, state, createdAt, expiresAt },
    ...(startedAt !== undefined && { startedAt }),
    ...(endedAt !== undefined && { endedAt }),
    ...(cancelRequestedAt !== undefined && { cancelRequestedAt }),
    ...(metadata !== undefined && { metadata }),
    ...(template !== undefined && { template }),
  };
};
