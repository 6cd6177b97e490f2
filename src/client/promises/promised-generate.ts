import type { Client } from './promised.js';
import type { Generate } from '../generate/generate-types.js';
import { isLeft } from '../../core/protocol/either.js';
import { outputsOf } from '../jobs/job-handle.js';
import { tap } from 'rxjs';
import { toPromise } from '../../core/interop/to-promise.js';
import { toTaskEither } from '../../core/interop/to-task-either.js';

/** Makes a call that gives the files of a job that completes, of the stream of its states. */
export const promisedGenerate =
  (generate: Generate): Client['generate'] =>
  async (workflow, { onState, ...options } = {}) => {
    const states = generate(workflow, options).pipe(tap((state) => onState?.(state)));
    const state = await toPromise(toTaskEither(states));
    const { files = [], outputsByTitle = {} } = state;
    const outputs = outputsOf(state);
    if (isLeft(outputs)) throw outputs.left;
    return { files, outputs: outputsByTitle, state };
  };
