import type { FindSubmission, SoughtSubmission } from './dialect.js';
import * as E from '../../core/protocol/either.js';
import type { HttpConnection } from '../../core/http/connection.js';
import { isJsonObject } from '../../core/protocol/json/json.js';
import { type LostSubmission, matchCandidates } from '../../core/lost/match-candidates.js';
import { localJobStatus } from './local-job-status.js';
import { parseSent } from '../../core/protocol/json/parse-sent.js';
import { PieceScan } from '../../core/protocol/json/piece-scan.js';
import { queueEndpoint } from '../../core/endpoints/queue.js';
import { type RecentJob, recentJobsEndpoint } from '../../core/endpoints/recent-jobs.js';
import { normalise } from '../../core/lost/same-workflow.js';
import { scanAnswer } from './scan-answer.js';

/** So many of the latest records are compared first, and sixteen times as many where the job is not among them. */
const firstCompared = 256;

/**
 * Finds the jobs of a local server that a submission may have become whose answer was lost.
 *
 * The job with the submission's own id is the one. Engines before July 2025 give ids of their own, so else each job of the queue and
 * of the history is compared: it has the client id of the submission and the same workflow. The listings are read as streams, one job
 * at a time is parsed, and none is kept.
 */
export const findLocalSubmission =
  (connection: HttpConnection): FindSubmission =>
  (sought, options = {}) =>
  async () => {
    const own = await localJobStatus(connection)(sought.submissionId, options)();
    if (E.isRight(own)) return E.right([sought.submissionId]);
    if (own.left._tag !== 'NotFound') return own;
    const found = new Set<string>();
    const lost: LostSubmission = {
      ...{ since: -Infinity, isMarked: false, clientId: sought.clientId },
      workflow: normalise(sought.workflow),
    };
    const compare = (listed: unknown): void => {
      const job = readListed(listed);
      if (job !== undefined) for (const id of matchCandidates([job], lost).alike) found.add(id);
    };
    const compareRecord = (record: unknown): void =>
      compare(isJsonObject(record) ? record['prompt'] : undefined);
    // Jobs move from the queue to the history, so the queue comes first.
    const queue = await scanAnswer(connection, queueEndpoint(), () => jobsIn(2, sought, compare), {
      ...options,
      listing: 'queue listing',
    })();
    if (E.isLeft(queue)) return queue;
    for (let limit = firstCompared; ; limit *= 16) {
      const history = await scanAnswer(
        connection,
        recentJobsEndpoint('history', limit),
        () => jobsIn(1, sought, compareRecord),
        { ...options, listing: 'history' },
      )();
      if (E.isLeft(history)) return history;
      if (found.size > 0 || history.right.pieces < limit) return E.right([...found]);
    }
  };

/** Parses each piece that has the client id in it: most jobs are of other programs. */
const jobsIn = (depth: number, { clientId }: SoughtSubmission, take: (piece: unknown) => void): PieceScan =>
  new PieceScan(depth, (piece) => {
    if (piece.includes(clientId)) take(parseSent(piece));
  });

/** Reads a job as listed, `[number, id, workflow, extra_data, …]`; undefined for anything else. */
const readListed = (listed: unknown): RecentJob | undefined => {
  const [, promptId, workflow, extraData] = Array.isArray(listed) ? (listed as readonly unknown[]) : [];
  return typeof promptId === 'string' && isJsonObject(extraData)
    ? { promptId, workflow, extraData }
    : undefined;
};
