import { emptyImage } from './empty-image.js';
import { invalid, submit } from './v2-refusal-cases.js';
import type { Answer } from '../answer.js';
import assert from 'node:assert/strict';
import { object } from '../shape.js';
import { randomUUID } from 'node:crypto';
import type { Target } from '../target.js';
import { v2 } from './v2-api.js';

/** A second job, with all that a submission can have beside its workflow, cancelled at once. */
export interface SecondRun {
  readonly id: string;
  /** A refused request with its key, and whether the same key was good then. */
  readonly refused: Answer;
  readonly isReleased: boolean;
  /** A submission with labels; undefined if the server keeps none and said so. */
  readonly labelled: Answer;
  /** The same request again. */
  readonly again: Answer;
  readonly cancelled: Answer;
  /** What the server says of the job. */
  readonly told: readonly Answer[];
  /** What went along in extra_data. */
  readonly secret: string;
}

const runs = new WeakMap<Target, Promise<SecondRun>>();

/** Plays it, once for each target. */
export const secondRun = (target: Target): Promise<SecondRun> => {
  const run = runs.get(target) ?? play(target);
  runs.set(target, run);
  return run;
};

const play = async (target: Target): Promise<SecondRun> => {
  const [key, secret] = [randomUUID(), `no-key-${randomUUID()}`];
  const body = { workflow: emptyImage(), extra_data: { api_key_comfy_org: secret } };
  const keyed = { 'Idempotency-Key': key };
  const refused = await submit(target, { workflow: invalid }, keyed);
  const labelled = await submit(target, { ...body, metadata: labels }, keyed);
  const plain = labelled.status === 201 ? labelled : await submit(target, body, keyed);
  const isReleased = plain.status === 201;
  const accepted = isReleased ? plain : await submit(target, body);
  assert.equal(accepted.status, 201, `a good workflow is answered ${accepted.status}`);
  const id = String(object(accepted.json(), 'the job')['id']);
  const again = await submit(target, body, keyed);
  const cancelled = await v2(target, 'POST', `/jobs/${id}/cancel`);
  const told = [
    accepted,
    await v2(target, 'GET', `/jobs/${id}`),
    await v2(target, 'GET', `/jobs/${id}/workflow`),
  ];
  return { id, refused, isReleased, labelled, again, cancelled, told, secret };
};

/** What the labelled submission asks to keep. */
export const labels = { suite: 'conformance' };
