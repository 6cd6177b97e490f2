import {
  type HistoryRecord,
  type JobState,
  outputFiles,
  type Outputs,
  readWorkflow,
  type Workflow,
} from '../../node.js';
import type { Titles } from '../report/cli-event.js';

/** An ended job; a `JobState` is one. */
export interface EndedJob extends Pick<JobState, 'promptId' | 'phase' | 'outputs' | 'outputsComplete'> {
  readonly failure?: JobState['failure'] | undefined;
  /** Node id → the node of the submitted workflow that it belongs to. */
  readonly nodes: Readonly<Record<string, { readonly displayNodeId: string }>>;
  /** The number of saved pictures of each streaming node; absent where the job was not watched from its start. */
  readonly streamed?: ReadonlyMap<string, number>;
  /** The workflow, where it is known. */
  readonly workflow?: Workflow | undefined;
}

/** A text output of a node. */
export interface OutputText {
  readonly nodeId: string;
  /** Its key in the node's outputs, where that is not `text`. */
  readonly key?: string;
  /** The node of the submitted workflow, where it differs. */
  readonly displayNodeId?: string;
  readonly text: string;
}

/** Lists the texts under any key in the order of the outputs, nested lists included, but for those that name files. */
export const outputTexts = (outputs: Outputs, nodes: EndedJob['nodes']): readonly OutputText[] =>
  Object.entries(outputs).flatMap(([nodeId, node]) => {
    const displayNodeId = Object.hasOwn(nodes, nodeId) ? nodes[nodeId]?.displayNodeId : undefined;
    const place =
      displayNodeId === undefined || displayNodeId === nodeId ? { nodeId } : { nodeId, displayNodeId };
    const named = new Set(outputFiles({ [nodeId]: node }).map(({ filename }) => filename));
    return Object.entries(node).flatMap(([key, value]) =>
      textsOf(value)
        .filter((text) => key === 'text' || !namesOneOf(named, text))
        .map((text) => ({ ...place, ...(key !== 'text' && { key }), text })),
    );
  });

/** Servers that take every value for a list send a text as the list of its characters. */
const textsOf = (value: unknown): readonly string[] => {
  const texts = [value].flat(2).filter((element) => typeof element === 'string');
  const isSpelled = texts.length > 3 && texts.every((text) => /^.$/su.test(text));
  return isSpelled ? [texts.join('')] : texts;
};

/** Whether a text is the path of one of these files, with or without the annotation of its folder. */
const namesOneOf = (filenames: ReadonlySet<string>, text: string): boolean => {
  const path = text.replace(/ \[(?:output|input|temp)\]$/u, '');
  return filenames.has(path.split(/[/\\]/u).at(-1) ?? '');
};

/** The label of each node of a workflow: its title, otherwise its class; empty without a workflow. */
export const nodeTitles = (workflow: Workflow = {}): Titles =>
  new Map(Object.entries(workflow).map(([nodeId, node]) => [nodeId, node._meta?.title ?? node.class_type]));

/** The workflow in a job's record: the third element of a list, or a member of an object. */
export const workflowOfRecord = ({ record }: Pick<HistoryRecord, 'record'>): Workflow | undefined => {
  const { prompt } = record;
  const kept: unknown = Array.isArray(prompt) ? prompt[2] : isObject(prompt) ? prompt['prompt'] : undefined;
  const workflow = readWorkflow(kept);
  return workflow._tag === 'Right' ? workflow.right : undefined;
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
