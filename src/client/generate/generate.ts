import { abortable } from '../../core/interop/abortable.js';
import { concatMap, defer, from, map, type Observable, of, switchMap, takeLast } from 'rxjs';
import type { DownloadOptions, DownloadState } from '../../core/files/download-state.js';
import type { Files } from '../../core/platform/platform.js';
import { fillInputs } from './fill-inputs.js';
import type { Generate, GeneratedState } from './generate-types.js';
import { getOrThrow } from '../../core/protocol/either.js';
import { isTerminal, type JobState } from '../../core/state/job-state.js';
import type { NodeDefinitions } from '../../workflow/definitions.js';
import { type OutputFile } from '../../core/state/output-files.js';
import { readSource } from './workflow-source.js';
import type { Rest } from '../../core/http/rest.js';
import type { RunOptions } from '../jobs/run.js';
import { serviceError } from '../../core/errors/service-error.js';
import { uploadOnce } from './upload-once.js';
import { wantedFiles, withFiles } from './generated-files.js';
import type { Workflow } from '../../core/protocol/workflow.js';

/** What {@link generator} needs of a client. */
export interface GenerateContext {
  readonly files: Files | undefined;
  readonly rest: Pick<Rest, 'objectInfo' | 'uploadImage' | 'view'>;
  readonly run: (workflow: Workflow, options: RunOptions) => Observable<JobState>;
  readonly download: (
    state: JobState,
    dir: string,
    options: DownloadOptions<JobState>,
  ) => Observable<DownloadState>;
}

/** Makes `client.generate`: node classes are asked for once, and each file is uploaded once. */
export const generator = (context: GenerateContext): Generate => {
  const { files, rest, run } = context;
  const upload = uploadOnce(rest);
  let asked: Promise<NodeDefinitions> | undefined;
  let known: NodeDefinitions | undefined;
  const askOnce = async (): Promise<NodeDefinitions> => {
    asked ??= rest.objectInfo()().then(getOrThrow);
    try {
      return (known = await asked);
    } catch (error) {
      asked = undefined;
      throw error;
    }
  };

  return (
    source,
    { inputs = {}, into, definitions, include, name, signal, onUnsubscribe = 'cancel', ...options } = {},
  ) => {
    const prepared = async (): Promise<Workflow> => {
      if (into !== undefined && files === undefined)
        throw serviceError('InvalidConfig', {
          option: 'into',
          message: 'There is no disk here to save files to.',
        });
      const own = (): Promise<NodeDefinitions> => (definitions ? Promise.resolve(definitions) : askOnce());
      const workflow = await readSource({ files, definitions: own }, source);
      return fillInputs({ files, upload }, workflow, inputs, definitions ?? known);
    };
    const finished = (workflow: Workflow, state: JobState): Observable<GeneratedState> => {
      const wanted = wantedFiles(state, include);
      return into === undefined || state.phase !== 'completed'
        ? of(withFiles(rest, workflow, state, wanted))
        : context.download(state, into, { include, name }).pipe(
            takeLast(1),
            map((saved) => withFiles(rest, workflow, state, placed(wanted, saved))),
          );
    };
    // The signal is not the run's: leaving the run is what asks for the end of its job.
    return defer(() => from(prepared())).pipe(
      switchMap((workflow) =>
        run(workflow, { ...options, onUnsubscribe }).pipe(
          concatMap((state) => (isTerminal(state.phase) ? finished(workflow, state) : of(state))),
        ),
      ),
      abortable(signal),
    );
  };
};

/** The files, in their order, with the places where a download saved them. */
const placed = (
  files: readonly OutputFile[],
  { files: saved }: DownloadState,
): readonly (OutputFile & { readonly path?: string })[] => {
  const paths = new Map(saved.map((file) => [keyOf(file), file.path]));
  return files.map((file) => {
    const path = paths.get(keyOf(file));
    return { ...file, ...(path !== undefined && { path }) };
  });
};

const keyOf = ({ nodeId, type, subfolder, filename, asset }: OutputFile): string =>
  JSON.stringify([nodeId, type, subfolder, filename, asset?.id]);
