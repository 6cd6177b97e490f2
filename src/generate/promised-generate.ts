import type { Generate } from './generate-context.js';
import type { Generated, GeneratedState, GenerateInputs, GenerateSource } from './generate-types.js';
import { isLeft } from '../core/protocol/either.js';
import { outputsOf } from '../core/errors/outputs-of.js';
import { tap } from 'rxjs';
import { toPromise } from '../core/interop/to-promise.js';
import { toTaskEither } from '../core/interop/to-task-either.js';

/** What a call of `generate` that gives a promise takes beside the options of the stream. */
export interface WithOnState {
  /** Called with each state of the job. */
  readonly onState?: ((state: GeneratedState) => void) | undefined;
}

/** Makes a call that gives the files of a job that completes, of the stream of its states. */
export const promisedGenerate =
  <Options extends object>(generate: Generate<Options>) =>
  async (
    source: GenerateSource,
    { onState, ...options }: Partial<Options> & GenerateInputs & WithOnState = {},
  ): Promise<Generated> => {
    // What is left are the options of a stream, none of which is required.
    const states = generate(source, options as Options & GenerateInputs).pipe(
      tap((state) => onState?.(state)),
    );
    const state = await toPromise(toTaskEither(states));
    const { files = [], outputsByTitle = {} } = state;
    const outputs = outputsOf(state);
    if (isLeft(outputs)) throw outputs.left;
    return { files, outputs: outputsByTitle, state };
  };
