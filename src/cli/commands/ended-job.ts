import { type HistoryRecord, type JobState, readApiWorkflow, type Workflow } from '../../node.js';
import type { Titles } from '../report/cli-event.js';

/** An ended job; a `JobState` is one. */
export interface EndedJob
  extends
    Pick<JobState, 'promptId' | 'phase' | 'outputs' | 'outputsComplete'>,
    Partial<Pick<JobState, 'queuedAt' | 'startedAt' | 'endedAt'>> {
  readonly failure?: JobState['failure'] | undefined;
  /** Node id → the node of the submitted workflow that it belongs to. */
  readonly nodes: Readonly<Record<string, { readonly displayNodeId: string }>>;
  /** The number of saved pictures of each streaming node; absent if the job was not watched from its start. */
  readonly streamed?: ReadonlyMap<string, number>;
  /** The workflow, where it is known. */
  readonly workflow?: Workflow | undefined;
}

/** The label of each node of a workflow: its title, otherwise its class; empty without a workflow. */
export const nodeTitles = (workflow: Workflow = {}): Titles =>
  new Map(Object.entries(workflow).map(([nodeId, node]) => [nodeId, node._meta?.title ?? node.class_type]));

/** The workflow in a job's record: the third element of a list, or a member of an object. */
export const workflowOfRecord = ({ record }: Pick<HistoryRecord, 'record'>): Workflow | undefined => {
  const { prompt } = record;
  const kept: unknown = Array.isArray(prompt)
    ? prompt[2]
    : (prompt as { readonly prompt?: unknown } | null | undefined)?.prompt;
  const workflow = readApiWorkflow(kept);
  return workflow._tag === 'Right' ? workflow.right : undefined;
};
