import { expect, it } from 'vitest';
import * as E from '../../../src/protocol/either.js';
import { type JobSearch, jobsSince } from '../../../src/gateway/lost/jobs-since.js';
import { markerField, seenAmong } from '../../../src/gateway/lost/seen-among.js';
import type { RecentJob, RecentJobsOptions } from 'promptwire';

const workflow = { 1: { class_type: 'SaveImage', inputs: {} } };
const day = 86_400_000;

/** A service with jobs that ended, the latest first, and what was asked of its history. */
const serviceWith = (ended: readonly RecentJob[]) => {
  const limits: (number | undefined)[] = [];
  const right = <A>(value: A) => Promise.resolve(E.right(value));
  const rest = {
    queue: () => () => right({ running: [], pending: [] }),
    recentJobs:
      ({ limit }: RecentJobsOptions = {}) =>
      () => {
        limits.push(limit);
        return right(ended.slice(0, limit));
      },
    job: () => () => Promise.reject(new Error('The listing has the marker.')),
  };
  return { limits, rest };
};

const endedJobs = (count: number, createdAt: number): RecentJob[] =>
  Array.from({ length: count }, (_, nth) => ({
    promptId: `other ${nth}`,
    createdAt: createdAt - nth,
    extraData: { [markerField]: `of other ${nth}` },
  }));

const own: RecentJob = { promptId: 'own', createdAt: day, extraData: { [markerField]: 'mine' } };
const submission = { submissionId: 'mine', since: day, workflow, isMarked: true };

const look = async (rest: JobSearch['rest']) => {
  const isMeant = () => true;
  const unclaimed = (ids: readonly string[]) => Promise.resolve(ids);
  const jobs = await jobsSince({ ...submission, rest, isMeant, unclaimed });
  return jobs && seenAmong(jobs, submission);
};

it('finds a job behind many that came after it', async () => {
  const { limits, rest } = serviceWith([...endedJobs(1_500, 2 * day), own]);
  const seen = await look(rest);
  expect(seen).toEqual({ marked: ['own'], alike: [] });
  expect(limits).toEqual([256, 1_024, 4_096]);
});

it('asks once where the list goes back beyond the submission', async () => {
  const { limits, rest } = serviceWith([own, ...endedJobs(500, day / 2)]);
  const seen = await look(rest);
  expect(seen).toEqual({ marked: ['own'], alike: [] });
  expect(limits).toEqual([256]);
});

it('shows nothing of a job that is further back than it looks', async () => {
  const { limits, rest } = serviceWith([...endedJobs(5_000, 2 * day), own]);
  const seen = await look(rest);
  expect(seen).toEqual({ marked: [], alike: [] });
  expect(limits).toEqual([256, 1_024, 4_096]);
});
