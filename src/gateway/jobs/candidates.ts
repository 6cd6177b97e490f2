import * as E from '../../protocol/either.js';
import type { Client, RecentJob, Workflow } from 'promptwire';
import { writeExactJson } from '../../protocol/json/exact-json.js';

/** A submission whose answer never came. */
export interface LostSubmission {
  readonly workflow: Workflow;
  /** When the gateway took it, in milliseconds since 1970. */
  readonly createdAt: number;
}

/** How long one question may take. */
const askedWithinMs = 5_000;
/** A clock of the service may be that much behind the gateway's. */
const clockSkewMs = 60_000;
/** How many jobs of the history are listed, and how many of them without a workflow are looked up. */
const mostListed = 128;

/**
 * Finds the jobs of the service that each of some submissions may have become: those of its queue and history that have the same
 * workflow, are not older, and are not among `known`.
 *
 * A service that serves neither list has no candidates. Never rejects.
 */
export const findCandidates = async (
  { rest }: Pick<Client, 'rest'>,
  submissions: readonly LostSubmission[],
  known: ReadonlySet<string>,
): Promise<readonly (readonly string[])[]> => {
  const asked = { timeoutMs: askedWithinMs };
  const since = Math.min(...submissions.map(({ createdAt }) => createdAt)) - clockSkewMs;
  const isMeant = ({ promptId, createdAt = Infinity }: RecentJob): boolean =>
    createdAt >= since && !known.has(promptId);

  // The queue is read first, because jobs move from it to the history.
  const queue = await rest.queue(asked)();
  const waiting: readonly RecentJob[] = E.isRight(queue)
    ? [...queue.right.running, ...queue.right.pending].filter(isMeant)
    : [];
  const listed = await rest.recentJobs({ ...asked, limit: mostListed })();
  const ended = E.isRight(listed) ? listed.right.filter(isMeant) : [];
  const unlisted = ended.filter(({ workflow }) => workflow === undefined).map(({ promptId }) => promptId);
  const lookedUp =
    unlisted.length === 0 ? undefined : await rest.recentJobs({ ...asked, promptIds: unlisted })();
  const jobs = [
    ...waiting,
    ...ended,
    ...(lookedUp !== undefined && E.isRight(lookedUp) ? lookedUp.right : []),
  ];

  return submissions.map(({ workflow, createdAt }) => {
    // The answers are parsed with integers beyond 2^53 rounded.
    const own: unknown = JSON.parse(writeExactJson(workflow));
    const isYoung = (job: RecentJob): boolean => (job.createdAt ?? Infinity) >= createdAt - clockSkewMs;
    const alike = jobs.filter((job) => isYoung(job) && isAlike(own, job.workflow));
    return [...new Set(alike.map(({ promptId }) => promptId))];
  });
};

/** Whether the service's workflow is the caller's, in which references to assets stand where the service got names of files. */
const isAlike = (own: unknown, other: unknown): boolean => {
  if (!isObject(own)) return own === other;
  if (own['__type'] === 'core/ASSET') return true;
  if (!isObject(other) || Array.isArray(own) !== Array.isArray(other)) return false;
  const names = Object.keys(own);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isAlike(own[name], other[name]))
  );
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
