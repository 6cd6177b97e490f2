import { abortable } from '../core/interop/abortable.js';
import { catchError, concatMap, defer, filter, from, map, type Observable, of, tap, throwError } from 'rxjs';
import type { DownloadState } from '../core/files/download-state.js';
import { classesInDoubt, fillInputs } from './fill-inputs.js';
import type { Generate, GenerateContext, OpenableFile } from './generate-context.js';
import type { GeneratedState, GenerateInputs, InputFile } from './generate-types.js';
import { isTerminal, type JobState } from '../core/state/job-state.js';
import type { NodeDefinitions } from '../workflow/definitions.js';
import type { OutputFile } from '../core/state/output-files.js';
import { readNamePattern } from '../workflow/outputs/name-pattern.js';
import { readSource } from './workflow-source.js';
import { isServiceError, serviceError } from '../core/errors/service-error.js';
import type { UploadedFile } from '../core/protocol/file-ref.js';
import { uploadOnce } from './upload-once.js';
import { type NamedFile, namedFiles, withFiles } from './generated-files.js';
import type { Workflow } from '../core/protocol/workflow.js';

/** Makes `generate` of a client, a remote or a queue: all node classes are asked for once, and each file is uploaded once. */
export const generator = <Options extends object>(context: GenerateContext<Options>): Generate<Options> => {
  const { files, run, refuse, filesOf, save } = context;
  const uploadIfNew = uploadOnce(context.upload);
  let asked: Promise<NodeDefinitions> | undefined;
  let known: NodeDefinitions | undefined;
  const askOnce = async (): Promise<NodeDefinitions> => {
    asked ??= context.definitions();
    try {
      return (known = await asked);
    } catch (error) {
      asked = undefined;
      throw error;
    }
  };

  /** What tells whether these inputs are there; undefined where the workflow itself does, or the service has no definitions. */
  const definitionsFor = async (workflow: Workflow, inputs: object): Promise<NodeDefinitions | undefined> => {
    const classes = classesInDoubt(workflow, inputs);
    if (known !== undefined || classes.length === 0) return known;
    return context.definitions(classes).catch((error: unknown) => {
      if (isServiceError(error) && error._tag === 'NotSupported') return undefined;
      throw error;
    });
  };

  return (source, options = {} as Options & GenerateInputs) => {
    const {
      inputs = {},
      into,
      definitions,
      include,
      name,
      signal,
      onUnsubscribe = 'cancel',
      ...more
    } = options;
    const prepared = async (isAgain: boolean): Promise<Prepared> => {
      if (into !== undefined && save === undefined) throw nothingSaves();
      if (typeof name === 'string') readNamePattern(name);
      const own = (): Promise<NodeDefinitions> => (definitions ? Promise.resolve(definitions) : askOnce());
      const workflow = await readSource({ files, definitions: own }, source);
      const beforeUpload = async (named: Workflow): Promise<void> =>
        refuse?.(named, { ...more, onUnsubscribe });
      const classes = definitions ?? (await definitionsFor(workflow, inputs));
      const remembered: boolean[] = [];
      const upload = async (file: InputFile): Promise<UploadedFile> => {
        const { uploaded, isRemembered } = await uploadIfNew(file, isAgain);
        remembered.push(isRemembered);
        return uploaded;
      };
      const filled = await fillInputs({ files, upload, beforeUpload }, workflow, inputs, classes);
      return { workflow: filled, mayLackFiles: remembered.includes(true) };
    };
    const finished = async (state: JobState): Promise<readonly OpenableFile[]> =>
      (await filesOf(state)).filter(({ type }) => include === 'temp' || type === 'output');
    const saved = (state: JobState, wanted: readonly NamedFile[]): Observable<DownloadState | undefined> =>
      into === undefined || save === undefined || state.phase !== 'completed'
        ? of(undefined)
        : save(state, into, {
            include,
            name: ({ filename }, _, index) => wanted[index]?.name ?? filename,
          }).pipe(filter(({ done }) => done));
    const withItsFiles = (workflow: Workflow, state: JobState): Observable<GeneratedState> =>
      from(finished(state)).pipe(
        map((wanted) => namedFiles(workflow, state, wanted, name)),
        concatMap((named) =>
          saved(state, named).pipe(map((download) => withFiles(workflow, state, named, pathsOf(download)))),
        ),
      );
    /** With `isAgain` each file is uploaded, also one that was before. */
    const submitted = (isAgain: boolean): Observable<Submitted> =>
      defer(() => from(prepared(isAgain))).pipe(
        concatMap(({ workflow, mayLackFiles }) => {
          let isOpen = mayLackFiles;
          return run(workflow, { ...more, onUnsubscribe }).pipe(
            map((state) => ({ workflow, state })),
            tap(({ state }) => (isOpen &&= state.phase === 'submitting')),
            catchError((error: unknown) =>
              isOpen && isRefused(error) ? submitted(true) : throwError(() => error),
            ),
          );
        }),
      );
    // The signal is not the run's: leaving the run is what asks for the end of its job.
    return submitted(false).pipe(
      concatMap(({ workflow, state }) =>
        isTerminal(state.phase) ? withItsFiles(workflow, state) : of(state),
      ),
      abortable(signal),
    );
  };
};

/** A workflow that is ready to be submitted. */
interface Prepared {
  readonly workflow: Workflow;
  /** Whether it names files that were uploaded before: a service that was started anew may have another disk. */
  readonly mayLackFiles: boolean;
}

/** A state of the job of a workflow. */
interface Submitted {
  readonly workflow: Workflow;
  readonly state: JobState;
}

/** Whether the service has no job by this error, which may be for want of a file. */
const isRefused = (error: unknown): boolean =>
  isServiceError(error) && (error._tag === 'BadRequest' || error._tag === 'InvalidWorkflow');

const nothingSaves = (): Error =>
  serviceError('InvalidConfig', { option: 'into', message: 'There is no disk here to save files to.' });

/** Where a download saved each file. */
const pathsOf = (download: DownloadState | undefined): ((file: OutputFile) => string | undefined) => {
  const paths = new Map((download?.files ?? []).map((file) => [keyOf(file), file.path]));
  return (file) => paths.get(keyOf(file));
};

const keyOf = ({ nodeId, type, subfolder, filename, asset }: OutputFile): string =>
  JSON.stringify([nodeId, type, subfolder, filename, asset?.id]);
