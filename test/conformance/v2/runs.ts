import assert from 'node:assert/strict';
import { allEvents, finalStatuses, openEvents, type SeenEvent } from '../../sdk/events.js';
import { ask, eventually, type Raw } from '../../sdk/players.js';
import type { SdkTarget } from '../../sdk/target.js';
import { expectJob } from './documents.js';

type Doc = Readonly<Record<string, unknown>>;

/** A job from its submission to its end. */
export interface V2Run {
  readonly id: string;
  readonly submission: Raw;
  readonly events: readonly SeenEvent[];
  /** The job after its end. */
  readonly job: Doc;
}

/** Submits a graph that has to be accepted; the answer. */
export const submit = async (target: SdkTarget, workflow: object, more: object = {}): Promise<Raw> => {
  const answer = await ask(target, 'POST', '/jobs', { body: { workflow, ...more } });
  assert.equal(answer.status, 201, answer.text);
  return answer;
};

/** Reads a job. */
export const jobOf = async (target: SdkTarget, id: string): Promise<Doc> => {
  const answer = await ask(target, 'GET', `/jobs/${id}`);
  assert.equal(answer.status, 200, answer.text);
  return expectJob(answer.json());
};

/** Waits for a job's end. */
export const endOf = (target: SdkTarget, id: string): Promise<Doc> =>
  eventually('the end', async () => {
    const job = await jobOf(target, id);
    return finalStatuses.includes(String(job['status'])) ? job : undefined;
  });

/** Runs a graph to its end, with its stream. */
export const runOf = async (target: SdkTarget, workflow: object): Promise<V2Run> => {
  const submission = await submit(target, workflow);
  const id = String(submission.json()['id']);
  await using stream = await openEvents(target, id);
  const events = await allEvents(stream);
  return { id, submission, events, job: await endOf(target, id) };
};

const runs = new WeakMap<SdkTarget, Promise<V2Run>>();

/** The run of a picture, made once for each target. */
export const pictureRun = (target: SdkTarget): Promise<V2Run> => {
  const run = runs.get(target) ?? runOf(target, target.graphs.picture());
  runs.set(target, run);
  return run;
};

/** The outputs of a job. */
export const outputsOf = (job: Doc): readonly Doc[] => job['outputs'] as readonly Doc[];

/** The data of the events of one name. */
export const dataOf = ({ events }: Pick<V2Run, 'events'>, name: string): readonly Doc[] =>
  events.filter(({ event }) => event === name).map(({ data }) => data);

/** An id that no job and no asset has. */
export const unknownId = '00000000-0000-4000-8000-000000000000';

/** Fails unless an answer is an error with this status and code. */
export const expectError = (answer: Raw, status: number, ...codes: readonly string[]): void => {
  assert.equal(answer.status, status, answer.text);
  assert.ok(codes.includes(answer.code()), `${codes.join(' or ')}, not ${answer.code()}`);
};
