import { toPromise } from '../../core/interop/to-promise.js';
import type { Client as MainClient } from '../client-types.js';
import type { DownloadOptions, DownloadState } from '../../core/files/download-state.js';
import type { Generated, GenerateSource } from '../../generate/generate-types.js';
import type { GenerateOptions } from '../generate-options.js';
import type { Job as MainJob } from '../jobs/job-handle.js';
import type { JobState } from '../../core/state/job-state.js';
import type { Rest as MainRest } from '../../core/http/rest.js';
import type { WithOnState } from '../../generate/promised-generate.js';
import type { ServiceError } from '../../core/errors/errors.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';

/** A member of the main entry as this entry has it: a promise in place of each `TaskEither`; streams and values are the same. */
export type Promised<Member> =
  Member extends TaskEither<ServiceError, infer Value>
    ? () => Promise<Value extends MainJob ? Job : Value>
    : Member extends (...args: infer Arguments) => TaskEither<ServiceError, infer Value>
      ? (...args: Arguments) => Promise<Value extends MainJob ? Job : Value>
      : Member extends (...args: infer Arguments) => MainJob
        ? (...args: Arguments) => Job
        : Member extends MainRest
          ? Rest
          : Member;

/** The calls of an object with promises in place of `TaskEither`s. */
export type PromisedCalls<Calls> = { readonly [Name in keyof Calls]: Promised<Calls[Name]> };

/** Every endpoint of the interface: each call sends its request at once, and rejects with a `ServiceError`. */
export type Rest = PromisedCalls<MainRest>;

/**
 * One job of the service: the client follows it to its end with and without subscribers.
 *
 * `for await (const state of job)` iterates over its states: a slow loop gets the newest one and always the terminal one.
 *
 * @example
 * ```ts
 * import type { Job } from 'promptwire/promises';
 *
 * const picturesOf = async (job: Job): Promise<readonly string[]> => {
 *   for await (const { phase, progress } of job) console.log(phase, progress);
 *   const { files } = await job.download('outputs');
 *   return files.map(({ path }) => path);
 * };
 * ```
 */
export interface Job extends PromisedCalls<
  Pick<MainJob, 'promptId' | 'problems' | 'states' | 'frames' | 'cancel'>
> {
  /**
   * Waits for the end and gives all outputs of the job.
   *
   * Rejects with `JobFailed` or `JobCancelled` where it did not complete, with `NotFound` where it became untraceable or never
   * was, and with `OutputsIncomplete`, which has the known outputs, where its record trailed for too long.
   */
  readonly outputs: Promised<MainJob['outputs']>;
  /**
   * Waits for the end, saves the job's files into a folder, and gives the last snapshot of the download, with every path.
   *
   * Rejects as `outputs` does, and as `client.download` errors: with `DownloadFailed` or the like once the other files are saved,
   * with `Aborted` when `signal` fires, and in a page, which has no disk, with `InvalidConfig`.
   */
  readonly download: (dir: string, options?: DownloadOptions<JobState>) => Promise<DownloadState>;
  /** The states of the job, as `states` has them. */
  readonly [Symbol.asyncIterator]: () => AsyncIterator<JobState, undefined>;
}

/**
 * One service and one connection to it, whose calls return promises; made by `createClient` of `promptwire/promises`.
 *
 * Each call is as in the main entry, with two differences: it begins at once, and it rejects with the `ServiceError` that the
 * main entry's gives as Left. Streams are the same Observables, so the operators of `promptwire` work on them.
 *
 * @example
 * ```ts
 * import type { Workflow } from 'promptwire';
 * import type { Client } from 'promptwire/promises';
 *
 * const outputsOf = async (client: Client, workflow: Workflow) => {
 *   const job = await client.submit(workflow); // one submission
 *   return job.outputs();
 * };
 * ```
 */
export interface Client extends PromisedCalls<Omit<MainClient, 'generate'>> {
  /**
   * From a workflow as people have it and values for its inputs to named files, in one call. **Each call is a submission, a job that costs
   * money.**
   *
   * `workflow` is in API format, a file of the editor, or a picture that carries one; each as a value, as text, as bytes or as a path.
   * `inputs` are set by their names, as `template` takes them, and files among them uploaded. It gives the job's files, saved where `into`
   * is given. Rejects before anything is sent with `InvalidWorkflow`, `UnknownNode`, `AmbiguousNode`, `UnknownInput` or `InvalidInputs`; as
   * `submit` does where the job is refused, and as `job.outputs` does where it does not complete. `signal` asks for the end of the job
   * and rejects with `Aborted`; with `onUnsubscribe: 'detach'` the job goes on.
   *
   * @example
   * ```ts
   * import type { Workflow } from 'promptwire';
   * import type { Client } from 'promptwire/promises';
   *
   * const paint = async (client: Client, workflow: Workflow, photo: Blob): Promise<readonly string[]> => {
   *   const { files } = await client.generate(workflow, {
   *     inputs: { 'Positive.text': 'a lighthouse', 'Load Image.image': photo },
   *     into: 'outputs',
   *     onState: ({ phase, progress }) => console.log(phase, progress),
   *   });
   *   return files.map(({ path = '' }) => path);
   * };
   * ```
   */
  readonly generate: (workflow: GenerateSource, options?: GenerateCallOptions) => Promise<Generated>;
}

/** Options of `client.generate` with a promise. */
export interface GenerateCallOptions extends GenerateOptions, WithOnState {}

/** The same call as one that runs the `TaskEither` that it makes: no call returns a function of another kind. */
export const promisedCall =
  (call: (...args: never[]) => unknown) =>
  (...args: never[]): unknown => {
    const result = call(...args);
    return typeof result === 'function' ? toPromise(result as TaskEither<ServiceError, unknown>) : result;
  };

/** All calls of an object, each as {@link promisedCall} makes it. */
export const promisedCalls = <Calls extends object>(calls: Calls): PromisedCalls<Calls> =>
  Object.fromEntries(
    Object.entries(calls).map(([name, call]: [string, unknown]) => [
      name,
      typeof call === 'function' ? promisedCall(call as (...args: never[]) => unknown) : call,
    ]),
  ) as PromisedCalls<Calls>;
