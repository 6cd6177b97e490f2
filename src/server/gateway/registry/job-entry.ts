import { applyJobEvent } from '../../../core/events/apply-job-event.js';
import type { GatewayJob, GatewayPreview } from '../model/gateway-jobs.js';
import { initialJobState } from '../../../core/state/initial-job-state.js';
import { isTerminal } from '../../../core/state/job-state.js';
import type { JobRecord } from '../../joblog/job-index.js';
import type { JobState } from '../../../core/state/job-state.js';
import type { LifecycleEvent } from '../../../core/events/job-event.js';
import type { LoggedEvent } from '../../joblog/event-log.js';

/** One job in the registry: its published state is the one that readers may know. */
export interface JobEntry extends GatewayJob {
  readonly record: JobRecord;
  readonly state: JobState;
  /** The position of its last event that is published. */
  readonly position?: string;
  /** Grows with each published progress; no other job has the same. */
  readonly progressVersion: number;
  /** When the state was published, in milliseconds since 1970. */
  readonly publishedAt: number;
  /** The newest preview of each node while the job runs. */
  readonly previews: ReadonlyMap<string, GatewayPreview>;
}

/** What the registry keeps of a job. */
export interface Card {
  record: JobRecord;
  /** What readers may know. */
  state: JobState;
  /** The newest state, whose events may be on their way into the log. */
  latest: JobState;
  startedAt?: number;
  endedAt?: number;
  position?: string;
  progressVersion: number;
  publishedAt: number;
  pending: number;
  /** Whether this process follows the job. */
  isOwn: boolean;
  /** The state as of the last entry that waits for the log; undefined where the entry changes none. */
  lastEntry: { after: JobState | undefined } | undefined;
  readonly previews: Map<string, GatewayPreview>;
}

/** Makes the card of a job at its first state. */
export const newCard = (record: JobRecord, state: JobState): Card => ({
  record,
  state,
  latest: state,
  progressVersion: 0,
  publishedAt: record.createdAt,
  pending: 0,
  isOwn: false,
  lastEntry: undefined,
  previews: new Map(),
});

/** Makes the card of a job from its events. */
export const entryOf = (record: JobRecord, events: readonly LoggedEvent[]): Card => {
  const { workflow, promptId, ended } = record;
  const first = initialJobState({ workflow, promptId, phase: ended?.phase });
  const card = newCard(record, events.map(({ event }) => event).reduce(applyJobEvent, first));
  for (const { event } of events) notePhase(card, event);
  // The log may have kept the service's id where the index could not.
  if (card.state.promptId !== '') card.record = { promptId: card.state.promptId, ...record };
  const last = events.at(-1)?.id;
  if (last !== undefined) card.position = last;
  return card;
};

/** Takes the times of start and end: the service's own, or else when the gateway heard of them. */
export const notePhase = (card: Card, event: LifecycleEvent): void => {
  const status =
    event.type === 'status' ? event.status : event.type === 'submitted' ? event.state : undefined;
  if (status === undefined) return;
  const { phase, startedAt, endedAt } = status;
  if (startedAt !== undefined) card.startedAt = startedAt;
  else if (phase === 'in_progress') card.startedAt ??= event.at;
  if (endedAt !== undefined) card.endedAt = endedAt;
  else if (isTerminal(phase)) card.endedAt ??= event.at;
};
