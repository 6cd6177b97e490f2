import { factsOf, type NodeFacts } from '../workflow/edit/node-facts.js';
import { findNamedNode } from '../workflow/edit/find-node.js';
import type { GeneratedFile, GeneratedState, GenerateInputs } from './generate-types.js';
import type { JobState } from '../core/state/job-state.js';
import { nameOutputs, nameOutputsBy } from '../workflow/outputs/name-outputs.js';
import type { OpenableFile } from './generate-context.js';
import type { OutputFile } from '../core/state/output-files.js';
import type { OutputName } from '../workflow/outputs/output-name.js';
import { outputNamer } from '../workflow/edit/outputs-by-title.js';
import type { Workflow } from '../core/protocol/workflow.js';

/** A file of a job with its name. */
export type NamedFile = OpenableFile & OutputName;

/** Names the files of a job by the option `name` of `generate`. */
export const namedFiles = (
  workflow: Workflow,
  state: JobState,
  files: readonly OpenableFile[],
  name: GenerateInputs['name'],
): readonly NamedFile[] =>
  typeof name === 'function'
    ? nameOutputsBy(files, { workflow, job: state }, (file, _, at) => name(file, state, at))
    : nameOutputs(files, { workflow, job: state, pattern: name });

/** The last state of a job, with its files as a list and by title. */
export const withFiles = (
  workflow: Workflow,
  state: JobState,
  files: readonly NamedFile[],
  pathOf: (file: OutputFile) => string | undefined,
): GeneratedState => {
  const generated = files.map(({ open, url, ...file }): GeneratedFile => {
    const path = pathOf(file);
    return {
      ...file,
      ...(path !== undefined && { path }),
      ...(url !== undefined && { url }),
      bytes: async () => (await open()).bytes(),
      blob: async () => (await open()).blob(),
    };
  });
  const named = Object.create(null) as Record<string, GeneratedFile[]>;
  const nameOf = fileNamer(factsOf(workflow));
  for (const file of generated) (named[nameOf(file)] ??= []).push(file);
  return { ...state, files: generated, outputsByTitle: named };
};

/** Gives the name of a file's node, as `outputsByTitle` has it; its id where several nodes have its title. */
const fileNamer = (facts: readonly NodeFacts[]): ((file: OutputFile) => string) => {
  const outputName = outputNamer(facts);
  return ({ nodeId, displayNodeId: shownAt = nodeId }) => {
    const node = facts.find(({ id }) => id === shownAt) ?? { id: shownAt, class: '' };
    const isShared = node.title !== undefined && findNamedNode(facts, node.title)?._tag === 'Left';
    return isShared ? node.id : outputName(node);
  };
};
