import type { SimJob } from '../sim-jobs.js';
import type { SimMessage } from '../sim-messages.js';
import { outputDocuments, statusOf, type V2Marks } from './v2-documents.js';

/** One event of a job's stream, before it is written. */
export interface V2Event {
  readonly event: string;
  readonly data: unknown;
}

/** How far a job has come, as its snapshots say. */
export interface V2Progress {
  readonly done: Set<string>;
  last?: V2Event;
}

const ends: Readonly<Record<string, string>> = {
  execution_success: 'succeeded',
  execution_error: 'failed',
  execution_interrupted: 'canceled',
};

/** The status that ends a stream, where a message reports an end. */
export const terminalOf = ({ type }: SimMessage, { isExpired = false }: V2Marks): string | undefined =>
  type === 'execution_error' && isExpired ? 'expired' : ends[type];

/** The events that one message of a job becomes; what API v2 does not report becomes none. */
export const eventsOf = (
  job: SimJob,
  marks: V2Marks,
  progress: V2Progress,
  message: SimMessage,
): readonly V2Event[] => {
  const { type, data } = message;
  const end = terminalOf(message, marks);
  if (end !== undefined) return [{ event: 'status', data: { status: end } }];
  const snapshot = (more: object): V2Event => {
    progress.last = { event: 'progress', data: { ...snapshotOf(job, progress), ...more } };
    return progress.last;
  };
  switch (type) {
    case 'execution_start':
      return [{ event: 'status', data: { status: 'running', queue_position: null } }];
    case 'execution_cached':
      for (const node of data['nodes'] as readonly string[]) progress.done.add(node);
      return [snapshot({})];
    case 'executing':
      return typeof data['node'] === 'string'
        ? [snapshot({ current_node: data['node'], current_node_class: 'SaveImage' })]
        : [];
    case 'progress':
      return [snapshot({ current_node: data['node'], step: data['value'], steps: data['max'] })];
    case 'executed': {
      progress.done.add(String(data['node']));
      const outputs = outputDocuments(job, String(data['node']), data['output'] as object);
      return outputs.map((output) => ({ event: 'output', data: output }));
    }
    default:
      return [];
  }
};

const snapshotOf = ({ plan }: SimJob, { done }: V2Progress): object => ({
  value: Math.min(1, done.size / plan.nodes),
  nodes_done: done.size,
  nodes_total: plan.nodes,
});

/** What a new stream begins with. */
export const greetingOf = (
  job: SimJob,
  marks: V2Marks,
  { last }: V2Progress,
  now: number,
): readonly V2Event[] => [
  {
    event: 'status',
    data: { status: statusOf(job, marks, now), queue_position: job.phase === 'pending' ? 1 : null },
  },
  ...(last === undefined || job.endedAt !== undefined ? [] : [last]),
];
