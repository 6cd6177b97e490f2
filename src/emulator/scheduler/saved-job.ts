import {
  anything,
  list,
  mapOf,
  members,
  nullable,
  number,
  object,
  oneOf,
  optional,
  type Read,
  text,
} from '../state/read.js';
import { type Job, newJob, type RawStatus, type Submission } from './job.js';
import { withoutCredentials } from './credentials.js';

const node = object({ classType: text, inputs: optional(members), title: optional(text) });

const failure = object({
  node_id: nullable(text),
  node_type: nullable(text),
  exception_message: text,
  exception_type: text,
  traceback: list(text),
});

/** What was accepted for running, as a state has it. */
const savedSubmission = {
  id: text,
  number,
  createdAt: number,
  graph: mapOf(node),
  prompt: members,
  extraData: members,
  targets: list(text),
  workflowId: optional(text),
  refusal: optional(failure),
};

/** Reads a job that has not ended, which begins anew. */
export const savedWaiting = object(savedSubmission);

const message: Read<readonly [string, Readonly<Record<string, unknown>>]> = (value, path) => {
  const [type, data] = list(anything)(value, path);
  return [text(type, `${path}[0]`), members(data, `${path}[1]`)];
};

/** Reads a job that has ended. */
export const savedEnded = object({
  ...savedSubmission,
  status: oneOf<RawStatus>('success', 'error', 'lost', 'cancelled'),
  updatedAt: number,
  startedAt: optional(number),
  endedAt: number,
  failure: optional(failure),
  outputs: mapOf(members),
  origins: mapOf(object({ displayId: text, parentId: nullable(text), realId: text })),
  messages: list(message),
});

type SavedWaiting = ReturnType<typeof savedWaiting>;
type SavedEnded = ReturnType<typeof savedEnded>;

/** What is kept of a job that has not ended: what was submitted, without credentials. */
export const saveWaiting = (job: Job): Readonly<Record<string, unknown>> => {
  const { id, number, createdAt, graph, prompt, extraData, targets, workflowId, refusal } = job;
  return {
    ...{ id, number, createdAt, graph, prompt, targets, workflowId, refusal },
    extraData: withoutCredentials(extraData),
  };
};

/** What is kept of a job that has ended at this time. */
export const saveEnded = (job: Job, endedAt: number): unknown => {
  const { status, updatedAt, startedAt, failure, outputs, origins, messages } = job;
  return {
    ...saveWaiting(job),
    ...{ status, updatedAt, startedAt, endedAt, failure, outputs, origins, messages },
  };
};

/** The submission that a job was made of. */
export const submissionOf = ({
  graph,
  prompt,
  extraData,
  targets,
  workflowId,
  refusal,
}: SavedWaiting): Submission => ({
  ...{ graph, prompt, extraData, targets, refusal },
  ...(workflowId !== undefined && { workflowId }),
});

/** The job as it was accepted. */
export const waitingJob = (saved: SavedWaiting): Job =>
  newJob(submissionOf(saved), { id: saved.id, number: saved.number }, saved.createdAt);

/** The job as it ended. */
export const endedJob = (saved: SavedEnded): Job => {
  const { status, updatedAt, startedAt, endedAt, failure, outputs, origins, messages } = saved;
  return {
    ...waitingJob(saved),
    ...{ status, updatedAt, startedAt, endedAt, failure, outputs, origins, messages: [...messages] },
  };
};
