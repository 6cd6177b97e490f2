import { abortable } from '../../core/interop/abortable.js';
import type { Client as MainClient } from '../client-types.js';
import type { Job } from './promised.js';
import type { Job as MainJob } from '../jobs/job-handle.js';
import { isLeft } from '../../core/protocol/either.js';
import type { Observable } from 'rxjs';
import { outputsOf } from '../../core/errors/outputs-of.js';
import { toPromise } from '../../core/interop/to-promise.js';
import { toTaskEither } from '../../core/interop/to-task-either.js';

/** The handle of a job whose calls return promises. */
export const promisedJob = (client: Pick<MainClient, 'download'>, job: MainJob): Job => ({
  promptId: job.promptId,
  problems: job.problems,
  states: job.states,
  frames: job.frames,
  cancel: (options) => toPromise(job.cancel(options)),
  outputs: () => toPromise(job.outputs),
  download: async (dir, options) => {
    const state = await lastOf(job.states.pipe(abortable(options?.signal)));
    const outputs = outputsOf(state);
    if (isLeft(outputs)) throw outputs.left;
    return lastOf(client.download(state, dir, options));
  },
  [Symbol.asyncIterator]: () => job[Symbol.asyncIterator](),
});

const lastOf = <A>(stream: Observable<A>): Promise<A> => toPromise(toTaskEither(stream));
