import { filter, map, type Observable, switchMap } from 'rxjs';
import { isTerminal, type JobState } from '../../core/state/job-state.js';
import type { RemoteOutput } from '../remote/outputs.js';
import type { ServiceError } from '../../core/errors/errors.js';
import { type Shared, shared } from './shared.js';
import { useView } from './use-shared.js';

/** A source that lists the files of jobs: a remote. */
export interface OutputSource {
  /** The states of a job, up to its end. */
  readonly follow: (id: string) => Observable<JobState>;
  /** The files of a job so far. */
  readonly outputs: (id: string) => Promise<readonly RemoteOutput[]>;
}

/** The files of a job as a component shows them; the same object until something changes. */
export interface OutputsView {
  /** The files; undefined until the job has ended and they are listed. */
  readonly outputs: readonly RemoteOutput[] | undefined;
  /** Why no outputs can be shown. */
  readonly error: ServiceError | undefined;
  /** Lists them again, after an error. */
  readonly retry: () => void;
}

/**
 * Lists the files of a job once it has ended; the `url` of each opens with the page's cookie, and `link()` gives one that needs none.
 *
 * All components that show them share one list. No id, or an empty one, is no job.
 *
 * @example
 * ```ts
 * import type { Remote } from 'promptwire/remote';
 * import { useOutputs } from 'promptwire/react';
 *
 * const useNames = (remote: Remote, id: string | undefined): readonly string[] =>
 *   (useOutputs(remote, id).outputs ?? []).map(({ filename }) => filename);
 * ```
 */
export const useOutputs = (source: OutputSource | undefined, id: string | undefined): OutputsView =>
  useView(source, id, sharedOutputs, noOutputs);

const noOutputs: OutputsView = { outputs: undefined, error: undefined, retry: () => undefined };

const sharedOutputs = (source: OutputSource, id: string): Shared<OutputsView> =>
  shared<OutputsView>(source, `outputs ${id}`, noOutputs, () =>
    source.follow(id).pipe(
      filter(({ phase }) => isTerminal(phase)),
      switchMap(() => source.outputs(id)),
      map((outputs) => ({ outputs })),
    ),
  );
