import { answerOf } from './http-client.js';
import { callError } from '../../core/errors/call-error.js';
import { definitions } from './definitions.js';
import { filter, map, type Observable } from 'rxjs';
import type { GeneratedState, GenerateInputs, GenerateSource } from '../../generate/generate-types.js';
import type { Generate, OpenableFile } from '../../generate/generate-context.js';
import type { JobState } from '../../core/state/job-state.js';
import { generator } from '../../generate/generate.js';
import { outputFiles } from '../../core/state/output-files.js';
import type { Remote, RemoteRunOptions } from './remote.js';
import type { RemoteOutput } from './outputs.js';

/** Options of `generate`. A page has no disk, so `into` is `InvalidConfig`. */
export interface RemoteGenerateOptions extends RemoteRunOptions, GenerateInputs {}

/** The calls of a remote by which a workflow is submitted, followed and read. */
export type GeneratingRemote = Pick<Remote, 'run' | 'upload' | 'outputs' | 'ask'>;

/**
 * Runs a workflow as people have it by a remote, with values for its inputs, and gives the states of its job and its files, as
 * `client.generate` does. **Each subscription is one submission.**
 *
 * Cold. Files among `inputs` are uploaded to the gateway, once for each remote and content. The last state has `files` and
 * `outputsByTitle`, whose files are read from the gateway. Errors as `remote.run` and `remote.upload` do, before anything is sent with
 * `InvalidInputs` or the like, and with `InvalidConfig` for `into`. Unsubscribing asks for the end of the job, unless `onUnsubscribe` is
 * `detach`. It is a function, so that a page without it loads none of it.
 *
 * @example
 * ```ts
 * import { generate, type Remote } from 'promptwire/remote';
 * import type { Workflow } from 'promptwire';
 *
 * const paint = (remote: Remote, workflow: Workflow, photo: File) =>
 *   generate(remote, workflow, {
 *     inputs: { 'Positive.text': 'a lighthouse', 'Load Image.image': photo },
 *   }).subscribe(({ phase, files }) => console.log(phase, files?.map(({ url }) => url)));
 * ```
 */
export const generate = (
  remote: GeneratingRemote,
  workflow: GenerateSource,
  options?: RemoteGenerateOptions,
): Observable<GeneratedState> => {
  const known = generators.get(remote) ?? remoteGenerate(remote);
  generators.set(remote, known);
  return known(workflow, options);
};

/** Each remote uploads the same bytes once. */
const generators = /* @__PURE__ */ new WeakMap<GeneratingRemote, Generate<RemoteRunOptions>>();

/** Files go to the gateway and come from it. */
const remoteGenerate = ({ run, upload, outputs, ask }: GeneratingRemote): Generate<RemoteRunOptions> =>
  generator<RemoteRunOptions>({
    files: undefined,
    definitions: (classes) => definitions({ ask }, classes),
    upload: (content, filename) =>
      answerOf(
        upload(content, { filename }).pipe(
          filter((state) => state._tag === 'uploaded'),
          map(({ file }) => file),
        ),
      ),
    run,
    filesOf: async (state) => opened(state, await outputs(state.promptId, { include: 'temp' })),
  });

/** The files of a state, each with where the gateway has it: it lists them in the same order. */
const opened = (state: JobState, listed: readonly RemoteOutput[]): readonly OpenableFile[] => {
  const left = [...listed];
  return outputFiles(state.outputs, state).map((file) => {
    const at = left.findIndex(
      ({ nodeId, filename, type }) =>
        nodeId === file.nodeId && filename === file.filename && type === file.type,
    );
    const [found] = at < 0 ? [] : left.splice(at, 1);
    const {
      url,
      blob = () =>
        Promise.reject(callError('NotFound', { message: `The gateway lists no ${file.filename}.` })),
    } = found ?? {};
    const open = async (): Promise<{ bytes: () => Promise<Uint8Array>; blob: () => Promise<Blob> }> => {
      const content = await blob();
      return {
        bytes: async () => new Uint8Array(await content.arrayBuffer()),
        blob: () => Promise.resolve(content),
      };
    };
    return { ...file, url, open };
  });
};
