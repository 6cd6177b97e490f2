import { factsOf, type NodeFacts } from '../../workflow/edit/node-facts.js';
import { findNamedNode } from '../../workflow/edit/find-node.js';
import type { GeneratedFile, GeneratedState } from './generate-types.js';
import type { FileContent, Rest } from '../../core/http/rest.js';
import type { JobState } from '../../core/state/job-state.js';
import { outputFiles, type OutputFile } from '../../core/state/output-files.js';
import { outputName } from '../../workflow/edit/outputs-by-title.js';
import { toPromise } from '../../core/interop/to-promise.js';
import type { Workflow } from '../../core/protocol/workflow.js';

/** The files of a job's last state that a caller wants. */
export const wantedFiles = (state: JobState, include: 'temp' | undefined): readonly OutputFile[] =>
  outputFiles(state.outputs, state).filter(({ type }) => include === 'temp' || type === 'output');

/** The last state of a job, with its files as a list and by title. */
export const withFiles = (
  { view }: Pick<Rest, 'view'>,
  workflow: Workflow,
  state: JobState,
  files: readonly (OutputFile & { readonly path?: string })[],
): GeneratedState => {
  const facts = factsOf(workflow);
  const open = (file: OutputFile): Promise<FileContent> => toPromise(view(file));
  const generated = files.map((file): GeneratedFile => ({
    ...file,
    title: nodeOf(facts, file)?.title ?? nodeOf(facts, file)?.class ?? nodeIdOf(file),
    ...(file.asset?.url !== undefined && { url: file.asset.url }),
    bytes: async () => (await open(file)).bytes(),
    blob: async () => (await open(file)).blob(),
  }));
  const named = Object.create(null) as Record<string, GeneratedFile[]>;
  for (const file of generated) (named[nameOf(facts, file)] ??= []).push(file);
  return { ...state, files: generated, outputsByTitle: named };
};

const nodeIdOf = ({ nodeId, displayNodeId = nodeId }: OutputFile): string => displayNodeId;

const nodeOf = (facts: readonly NodeFacts[], file: OutputFile): NodeFacts | undefined =>
  facts.find(({ id }) => id === nodeIdOf(file));

/** The name of a file's node, as `outputsByTitle` has it; its id where several nodes have its title. */
const nameOf = (facts: readonly NodeFacts[], file: OutputFile): string => {
  const node = nodeOf(facts, file) ?? { id: nodeIdOf(file), class: '' };
  const isShared = node.title !== undefined && findNamedNode(facts, node.title)?._tag === 'Left';
  return isShared ? node.id : outputName(facts, node);
};
