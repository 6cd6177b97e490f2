import assert from 'node:assert/strict';
import { emptyImage } from './empty-image.js';
import { filledText, list, object } from '../shape.js';
import { type Doc, v2 } from './v2-api.js';
import { finalStatuses } from './v2-documents.js';
import type { Answer } from '../answer.js';
import type { Target } from '../target.js';

/** A job from its submission to its end. */
export interface V2Run {
  readonly id: string;
  readonly workflow: object;
  readonly submission: Doc;
  /** Every look at it, the last one at its end. */
  readonly looks: readonly Answer[];
  readonly job: Doc;
}

const runs = new WeakMap<Target, Promise<V2Run>>();

/** The smallest job, run once for each target. */
export const runOf = (target: Target): Promise<V2Run> => {
  const run = runs.get(target) ?? ran(target, emptyImage());
  runs.set(target, run);
  return run;
};

/** Runs a workflow to its end. */
export const ran = async (target: Target, workflow: object): Promise<V2Run> => {
  const answer = await v2(target, 'POST', '/jobs', { body: { workflow } });
  assert.equal(answer.status, 201, `a good workflow is answered ${answer.status}`);
  const submission = object(answer.json(), 'the job');
  const id = filledText(submission['id'], 'id');
  const looks: Answer[] = [];
  const deadline = AbortSignal.timeout(target.patienceMs);
  for (;;) {
    const look = await v2(target, 'GET', `/jobs/${id}`);
    looks.push(look);
    if (look.status === 200) {
      const job = object(look.json(), 'the job');
      if (finalStatuses.includes(String(job['status']))) return { id, workflow, submission, looks, job };
    }
    assert.ok(!deadline.aborted, 'the job ends');
    await target.pause();
  }
};

/** The outputs of the smallest job, of which there is one at least. */
export const outputsOf = async (target: Target): Promise<readonly Doc[]> => {
  const outputs = list((await runOf(target)).job['outputs'], 'outputs').map((one) =>
    object(one, 'an output'),
  );
  assert.ok(outputs.length > 0, 'the job has an output');
  return outputs;
};
