import * as E from '../../protocol/either.js';
import { phaseOfWord } from './job-end.js';
import type { Endpoint } from '../endpoint.js';
import { isJsonObject } from '../../protocol/json/json.js';
import type { JobsPage, ListedJob } from '../job-list.js';
import { v2Root } from './job.js';

/** `GET /api/v2/jobs`: one page of the jobs (docs/protocol.md, chapter 12.5). */
export const listJobsEndpoint = (query: Readonly<Record<string, string>>): Endpoint<JobsPage> => ({
  method: 'GET',
  path: `${v2Root}/jobs`,
  query,
  idempotency: 'always',
  read: (json) => {
    if (!isJsonObject(json)) return E.left('the answer is no object');
    const { jobs = [], next_cursor: next } = json;
    if (!Array.isArray(jobs)) return E.left('the answer lists no jobs');
    return E.right({
      jobs: (jobs as readonly unknown[]).flatMap(readListed),
      ...(typeof next === 'string' && next !== '' && { next }),
    });
  },
});

const readListed = (job: unknown): readonly ListedJob[] => {
  if (!isJsonObject(job) || typeof job['id'] !== 'string' || typeof job['status'] !== 'string') return [];
  const { id: promptId, status, metadata, create_time: created } = job;
  const queuedAt = typeof created === 'string' ? Date.parse(created) : NaN;
  return [
    {
      promptId,
      status,
      phase: phaseOfWord(status),
      ...(Number.isFinite(queuedAt) && { queuedAt }),
      ...(isJsonObject(metadata) && { labels: textsOf(metadata) }),
    },
  ];
};

const textsOf = (metadata: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(metadata).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
