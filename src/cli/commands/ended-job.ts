import type { JobState, Workflow } from '../../node.js';

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
