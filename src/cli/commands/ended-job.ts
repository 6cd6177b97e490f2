import { type HistoryRecord, type JobState, type Outputs, readWorkflow, type Workflow } from '../../node.js';
import type { Titles } from '../report/cli-event.js';

/** What the end of a job says; a `JobState` is one. */
export interface EndedJob extends Pick<JobState, 'promptId' | 'phase' | 'outputs' | 'outputsComplete'> {
  readonly failure?: JobState['failure'] | undefined;
  /** Node id → the node of the submitted workflow that it belongs to. */
  readonly nodes: Readonly<Record<string, { readonly displayNodeId: string }>>;
  /** How many pictures that came over the socket are saved, by node; absent where the job was not watched from its start. */
  readonly streamed?: ReadonlyMap<string, number>;
  /** Where it is at hand. */
  readonly workflow?: Workflow | undefined;
}

/** A text that a node put out. */
export interface OutputText {
  readonly nodeId: string;
  /** The node of the submitted workflow, where it differs. */
  readonly displayNodeId?: string;
  readonly text: string;
}

/** Lists the texts that outputs hold under `text`, in the order of the outputs; lists of texts in lists are taken as well. */
export const outputTexts = (outputs: Outputs, nodes: EndedJob['nodes']): readonly OutputText[] =>
  Object.entries(outputs).flatMap(([nodeId, { text }]) => {
    const displayNodeId = Object.hasOwn(nodes, nodeId) ? nodes[nodeId]?.displayNodeId : undefined;
    const place =
      displayNodeId === undefined || displayNodeId === nodeId ? { nodeId } : { nodeId, displayNodeId };
    return [text]
      .flat(2)
      .filter((element) => typeof element === 'string')
      .map((element) => ({ ...place, text: element }));
  });

/** What to call each node of a workflow: its title, else its class; nothing is known without a workflow. */
export const nodeTitles = (workflow: Workflow = {}): Titles =>
  new Map(Object.entries(workflow).map(([nodeId, node]) => [nodeId, node._meta?.title ?? node.class_type]));

/** The workflow that a job's record keeps, where it can be read: a list with the workflow as third, or an object. */
export const recordWorkflow = ({ record }: Pick<HistoryRecord, 'record'>): Workflow | undefined => {
  const { prompt } = record;
  const kept: unknown = Array.isArray(prompt) ? prompt[2] : isObject(prompt) ? prompt['prompt'] : undefined;
  const workflow = readWorkflow(kept);
  return workflow._tag === 'Right' ? workflow.right : undefined;
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
