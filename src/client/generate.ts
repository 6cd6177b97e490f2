import type { Client } from './client-types.js';
import { definitionsOf } from '../generate/class-definitions.js';
import type { Files } from '../core/platform/platform.js';
import type { Generate, GenerateContext, OpenableFile } from '../generate/generate-context.js';
import { generator } from '../generate/generate.js';
import type { JobState } from '../core/state/job-state.js';
import { outputFiles } from '../core/state/output-files.js';
import type { RunOptions } from './jobs/run.js';
import { toPromise } from '../core/interop/to-promise.js';

/** The files of a job, which a client reads from its service. */
export const openableFiles = (
  { view }: Pick<Client['rest'], 'view'>,
  state: JobState,
): readonly OpenableFile[] =>
  outputFiles(state.outputs, state).map((file) => ({
    ...file,
    url: file.asset?.url,
    open: () => toPromise(view(file)),
  }));

/** Makes `client.generate` of the other members; `files` is the disk, where there is one. */
export const clientGenerate = (
  {
    rest,
    run,
    refuse,
    download,
  }: Pick<Client, 'run' | 'download'> & {
    readonly refuse: GenerateContext<RunOptions>['refuse'];
    readonly rest: Pick<Client['rest'], 'objectInfo' | 'uploadImage' | 'view'>;
  },
  files: Files | undefined,
): Generate<RunOptions> =>
  generator<RunOptions>({
    files,
    definitions: definitionsOf(rest),
    upload: (content, filename) => toPromise(rest.uploadImage({ content, filename })),
    run,
    refuse,
    filesOf: (state) => Promise.resolve(openableFiles(rest, state)),
    ...(files !== undefined && { save: download }),
  });
