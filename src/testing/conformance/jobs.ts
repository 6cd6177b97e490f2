import assert from 'node:assert/strict';
import type { Answer } from './answer.js';
import { api, expectStatus } from './api.js';
import { filledText, isObject, object, text } from './shape.js';
import type { Workflow } from './sample-workflows.js';
import type { Profile, Target } from './target.js';

/** The five states of chapter 4. */
export type State = 'pending' | 'in_progress' | 'completed' | 'failed' | 'cancelled';

const rawWords: Readonly<Record<State, readonly string[]>> = {
  pending: ['submitted', 'queued_limited', 'queued_waiting', 'allocated', 'preparing', 'pending_execution'],
  in_progress: ['executing', 'executed'],
  completed: ['success'],
  failed: ['error', 'non_retryable_error', 'lost'],
  cancelled: ['cancelled'],
};

/** The words of chapter 4 by profile: those that say a state for good. */
export const wordsOf: Readonly<Record<Profile, Readonly<Record<State, readonly string[]>>>> = {
  interface: {
    pending: ['pending'],
    in_progress: ['in_progress'],
    completed: ['completed'],
    failed: ['failed'],
    cancelled: ['cancelled'],
  },
  '2026': rawWords,
  '2026-11': rawWords,
};

/** The states after which nothing comes. */
export const finalStates: readonly State[] = ['completed', 'failed', 'cancelled'];

/** Submits a workflow that is good; the prompt id. */
export const submit = async (target: Target, prompt: Workflow, extraData?: object): Promise<string> => {
  const body = { prompt, ...(extraData && { extra_data: extraData }) };
  const answer = await expectStatus(200, target, 'POST', '/api/prompt', { body });
  return filledText(object(answer.json(), 'the answer')['prompt_id'], 'prompt_id');
};

/** The answer of the status endpoint. */
export const statusOf = async (target: Target, promptId: string): Promise<Record<string, unknown>> => {
  const answer = await expectStatus(200, target, 'GET', `/api/job/${promptId}/status`);
  return object(answer.json(), 'the status');
};

/** The state that the status endpoint tells, or `undefined` for a word that chapter 4 does not have. */
export const stateOf = async (target: Target, promptId: string): Promise<State | undefined> => {
  const word = text((await statusOf(target, promptId))['status'], 'status');
  const entry = Object.entries(wordsOf[target.profile]).find(([, words]) => words.includes(word));
  return entry?.[0] as State | undefined;
};

/** Asks until the job is in this state; fails at once when it has ended otherwise. */
export const waitForState = async (target: Target, promptId: string, state: State): Promise<void> => {
  const deadline = AbortSignal.timeout(target.patienceMs);
  for (;;) {
    const now = await stateOf(target, promptId);
    if (now === state) return;
    assert.ok(now === undefined || !finalStates.includes(now), `the job is ${String(now)}, not ${state}`);
    assert.ok(!deadline.aborted, `the job becomes ${state}; it is ${String(now)}`);
    await target.pause();
  }
};

/** Asks until the job has ended; how it ended. */
export const waitForEnd = async (target: Target, promptId: string): Promise<State> => {
  const deadline = AbortSignal.timeout(target.patienceMs);
  for (;;) {
    const now = await stateOf(target, promptId);
    if (now !== undefined && finalStates.includes(now)) return now;
    assert.ok(!deadline.aborted, `the job ends; it is ${String(now)}`);
    await target.pause();
  }
};

/** Runs a workflow to its end without a socket. */
export const runToEnd = async (
  target: Target,
  prompt: Workflow,
  extraData?: object,
): Promise<{ readonly promptId: string; readonly state: State }> => {
  const promptId = await submit(target, prompt, extraData);
  return { promptId, state: await waitForEnd(target, promptId) };
};

/** The record of a finished job, in the shape of the profile; waits for outputs that trail the end. */
export const recordOf = async (target: Target, promptId: string): Promise<Record<string, unknown>> => {
  const deadline = AbortSignal.timeout(target.patienceMs);
  for (;;) {
    const answer = await api(target, 'GET', `/api/history_v2/${promptId}`);
    if (answer.status === 200 && Object.keys(object(answer.json(), 'the record')).length > 0) {
      const record = unwrapRecord(target, promptId, answer);
      if (!lacksOutputs(record) || deadline.aborted) return record;
    }
    assert.ok(answer.status === 404 || answer.status === 200, `history answers ${answer.status}`);
    assert.ok(!deadline.aborted, 'a finished job gets a record');
    await target.pause();
  }
};

/** Asks for the end of these jobs by every means and waits for it; never fails. */
export const endJobs = async (target: Target, promptIds: readonly string[]): Promise<void> => {
  const bodies = { delete: promptIds };
  await api(target, 'POST', '/api/queue', { body: bodies }).catch(() => undefined);
  for (const promptId of promptIds) {
    const state = await stateOf(target, promptId).catch(() => 'failed' as const);
    if (state === undefined || finalStates.includes(state)) continue;
    await api(target, 'POST', '/api/interrupt').catch(() => undefined);
    await waitForEnd(target, promptId).catch(() => undefined);
  }
};

/** Submits that many jobs that would run for long, lets `use` look at them, and ends them. */
export const withLongJobs = async (
  target: Target,
  howMany: number,
  use: (promptIds: readonly string[]) => Promise<void>,
): Promise<void> => {
  const promptIds: string[] = [];
  try {
    for (let job = 0; job < howMany; job += 1) {
      promptIds.push(await submit(target, target.workflows.long()));
    }
    await use(promptIds);
  } finally {
    await endJobs(target, promptIds);
  }
};

/** The outputs of a good run may trail its end. */
const lacksOutputs = ({ outputs, status }: Record<string, unknown>): boolean =>
  isObject(status) && status['completed'] === true && isObject(outputs) && Object.keys(outputs).length === 0;

const unwrapRecord = (target: Target, promptId: string, answer: Answer): Record<string, unknown> => {
  const body = object(answer.json(), 'the record');
  if (target.profile === 'interface') return body;
  assert.deepEqual(Object.keys(body), [promptId], 'the record is under the prompt id');
  return object(body[promptId], 'the record');
};
