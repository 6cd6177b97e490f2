import { factsOf, type NodeFacts } from '../edit/node-facts.js';
import type { JobState } from '../../core/state/job-state.js';
import { type NameValues, readNamePattern } from './name-pattern.js';
import type { OutputName } from './output-name.js';
import { type OutputFile, outputKind } from '../../core/state/output-files.js';
import { safeFileName, splitName } from '../../core/names/safe-file-name.js';
import { seedOf } from './seed-of.js';
import { type TakenNames, uniqueName } from '../../core/names/unique-name.js';
import type { Workflow } from '../../core/protocol/workflow.js';

/** A file whose name {@link nameOutputs} makes: an `OutputFile`, or a file of `remote.outputs`. */
export type NameableFile = Pick<OutputFile, 'nodeId' | 'displayNodeId' | 'filename' | 'mediaType'>;

/** Options of {@link nameOutputs}. */
export interface NameOutputsOptions {
  /** The workflow of the job, which has titles, classes and seeds of its nodes. */
  readonly workflow?: Workflow | undefined;
  /** The job, for its id and its times; a `JobState` is one. */
  readonly job?: NamedJob | undefined;
  /**
   * A name with placeholders: `{name}`, `{title}`, `{node}`, `{class}`, `{kind}`, `{seed}`, `{index}`, `{date}`, `{time}`, `{prompt}` and
   * `{ext}`. Default: the service's own name, or `{title}-{index}` where that is a hash.
   */
  readonly pattern?: string | undefined;
  /** The number of the first file; default 1. */
  readonly firstIndex?: number | undefined;
}

/** What names can tell of a job. */
export type NamedJob = Partial<Pick<JobState, 'promptId' | 'startedAt' | 'queuedAt' | 'endedAt'>>;

/**
 * Names the files of a job as a person would, and tells title, kind, seed and date of each; `generate`, the command and a page name
 * their files by it.
 *
 * Gives the files with {@link OutputName} added, in their order. Names are made safe as `safeFileName` makes them, and equal ones differ
 * by `~2`, `~3`, … before the extension; `client.download` of the list saves under them. In values, blanks and slashes become `_`. The date
 * is that of the job's start, in UTC. What is not known is `noseed`, `nodate` and `notime`. Pure; throws `InvalidConfig` for a pattern with
 * another placeholder or a slash, without files as well.
 *
 * @example
 * ```ts
 * import { outputFiles, type Client, type JobState, type Workflow } from 'promptwire';
 * import { nameOutputs } from 'promptwire/workflow';
 *
 * const save = (client: Client, workflow: Workflow, state: JobState) => {
 *   const files = nameOutputs(outputFiles(state.outputs, state), {
 *     workflow,
 *     job: state,
 *     pattern: '{title}-{seed}-{index}',
 *   });
 *   return client.download(files, 'pictures');
 * };
 * ```
 */
export const nameOutputs = <File extends NameableFile>(
  files: readonly File[],
  { pattern, ...options }: NameOutputsOptions = {},
): readonly (File & OutputName)[] => {
  const patterned = readNamePattern(pattern ?? '{title}-{index}');
  return nameOutputsBy(files, options, ({ filename }, values) =>
    pattern === undefined && !isHash(values.name) ? filename : patterned(values),
  );
};

/** Does what {@link nameOutputs} does with names that a function makes, each made safe and kept apart. */
export const nameOutputsBy = <File extends NameableFile>(
  files: readonly File[],
  { workflow = {}, job = {}, firstIndex = 1 }: Omit<NameOutputsOptions, 'pattern'>,
  nameOf: (file: File, values: NameValues, at: number) => string,
): readonly (File & OutputName)[] => {
  const facts = new Map(factsOf(workflow).map((node) => [node.id, node]));
  const { promptId = '', startedAt, queuedAt, endedAt } = job;
  const madeAt = [startedAt, queuedAt, endedAt].find(isDate);
  const [date = 'nodate', time = 'notime'] =
    madeAt === undefined ? [] : new Date(madeAt).toISOString().slice(0, 19).replaceAll(':', '-').split('T');
  const taken: TakenNames = new Map();
  return files.map((file, at) => {
    const node = nodeOf(file, facts);
    const index = at + firstIndex;
    const kind = outputKind(file.mediaType);
    const known = node.title ?? node.class;
    const seed = seedOf(workflow, node.id);
    const values: NameValues = {
      ...parts(file.filename),
      title: known === '' ? `node_${node.id}` : known,
      node: node.id,
      class: node.class === '' ? `node_${node.id}` : node.class,
      kind,
      seed: seed ?? 'noseed',
      index: String(index),
      date,
      time,
      prompt: promptId,
    };
    return {
      ...file,
      name: uniqueName(safeFileName(nameOf(file, values, at)), taken),
      title: known === '' ? node.id : known,
      kind,
      index,
      ...(seed !== undefined && { seed }),
      ...(madeAt !== undefined && { madeAt }),
    };
  });
};

/** Services that name files by their content use 128 bits or more. */
const isHash = (name: string): boolean => /^[\da-f]{32,}$/iu.test(name);

/** Whether a time has a date of four digits. */
const isDate = (time: number | undefined): time is number =>
  time !== undefined && time >= 0 && time < Date.UTC(10_000, 0);

/** The node of the workflow that a file is shown at. */
const nodeOf = (
  { nodeId, displayNodeId = nodeId }: NameableFile,
  facts: ReadonlyMap<string, NodeFacts>,
): NodeFacts => facts.get(displayNodeId) ?? facts.get(nodeId) ?? { id: displayNodeId, class: '' };

const parts = (filename: string): Pick<NameValues, 'name' | 'ext'> => {
  const { stem, extension } = splitName(filename);
  return { name: stem, ext: extension.slice(1) };
};
