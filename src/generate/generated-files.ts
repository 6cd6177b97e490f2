import { factsOf, type NodeFacts } from '../workflow/edit/node-facts.js';
import { findNamedNode } from '../workflow/edit/find-node.js';
import type { GeneratedFile, GeneratedState } from './generate-types.js';
import type { JobState } from '../core/state/job-state.js';
import type { OpenableFile } from './generate-context.js';
import type { OutputFile } from '../core/state/output-files.js';
import { outputName } from '../workflow/edit/outputs-by-title.js';
import type { Workflow } from '../core/protocol/workflow.js';

/** The last state of a job, with its files as a list and by title. */
export const withFiles = (
  workflow: Workflow,
  state: JobState,
  files: readonly OpenableFile[],
  pathOf: (file: OutputFile) => string | undefined,
): GeneratedState => {
  const facts = factsOf(workflow);
  const generated = files.map(({ open, url, ...file }): GeneratedFile => {
    const path = pathOf(file);
    return {
      ...file,
      title: nodeOf(facts, file)?.title ?? nodeOf(facts, file)?.class ?? nodeIdOf(file),
      ...(path !== undefined && { path }),
      ...(url !== undefined && { url }),
      bytes: async () => (await open()).bytes(),
      blob: async () => (await open()).blob(),
    };
  });
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
