import type { Asset } from './asset-store.js';
import { createLatestOnly } from './latest-only.js';
import { createProgressTracker } from './progress-tracker.js';
import type { EmulatorClock } from '../clock.js';
import type { EventInterceptor } from '../messages.js';
import { isTerminal, type JobStatus, type OutputType, type ProgressDocument } from './documents.js';
import type { Job } from '../scheduler/job.js';
import { nodesBehind } from '../scheduler/graph.js';
import type { ServiceMessage } from '../messages.js';

/** An output file of a job, with the asset that it is. */
export interface JobOutput {
  readonly nodeId: string;
  readonly name: string;
  readonly type: OutputType;
  readonly asset: Asset;
}

/** A preview picture, not yet encoded. */
export type Preview = Extract<ServiceMessage, { readonly kind: 'preview' }>;

/** The labels of a job. */
export type Metadata = Readonly<Record<string, string>>;

/** Everything that API v2 shows of one job, and the events that tell its changes. */
export interface JobFeed {
  readonly job: Job;
  readonly metadata: () => Metadata | undefined;
  readonly outputs: readonly JobOutput[];
  readonly status: () => JobStatus;
  readonly queuePosition: () => number | null;
  readonly progress: () => ProgressDocument | undefined;
  /** The latest preview of a job that runs. */
  readonly preview: () => Preview | undefined;
  /** Calls `listener` with every later event, until the result is called. */
  readonly listen: (listener: FeedListener) => () => void;
}

/** Gets the events of a job, and then its end. */
export interface FeedListener {
  readonly onEvent: (message: ServiceMessage) => void;
  readonly onEnd: () => void;
}

/** The side of a feed that the engine writes to. */
export interface FeedWriter extends JobFeed {
  /** A message of the engine about this job. */
  readonly read: (message: ServiceMessage) => void;
  readonly addOutput: (output: JobOutput) => void;
  readonly setPlace: (status: JobStatus, queuePosition: number | null) => void;
  readonly setMetadata: (metadata: Metadata | undefined) => void;
  /** Drops what waits, without further events. */
  readonly stop: () => void;
}

/** Options of {@link createJobFeed}. */
export interface JobFeedOptions {
  readonly job: Job;
  readonly clock: EmulatorClock;
  readonly intercept: EventInterceptor;
  /** The least time between two events of progress, and between two previews. */
  readonly intervalMs: number;
  readonly outputEvents: 'before the end' | 'after the end';
  readonly outputData: (output: JobOutput) => Readonly<Record<string, unknown>>;
  /** What is known of a job that had ended before its service was started. */
  readonly ended?: EndedFeed | undefined;
}

/** What a job's feed shows after its end. */
export interface EndedFeed {
  readonly status: JobStatus;
  readonly progress: ProgressDocument | undefined;
  readonly outputs: readonly JobOutput[];
  readonly metadata: Metadata | undefined;
}

/** The feed of a job that was just accepted. */
export const createJobFeed = (options: JobFeedOptions): FeedWriter => {
  const { job, clock, intercept, intervalMs, ended } = options;
  const listeners = new Set<FeedListener>();
  const outputs: JobOutput[] = [...(ended?.outputs ?? [])];
  const needed = nodesBehind(job.graph, job.targets);
  const tracker = createProgressTracker(new Map([...job.graph].filter(([nodeId]) => needed.has(nodeId))));
  let status: JobStatus = ended?.status ?? 'queued';
  let queuePosition: number | null = null;
  let preview: Preview | undefined;
  let metadata: Metadata | undefined = ended?.metadata;

  const deliver = (message: ServiceMessage): void => {
    for (const { onEvent } of listeners) onEvent(message);
  };
  const emit = (
    type: string,
    data: object,
    more: { nodeId?: string | undefined; isEnd?: boolean } = {},
  ): void => {
    const subject = { promptId: job.id, nodeId: more.nodeId, isEnd: more.isEnd ?? false };
    intercept({ kind: 'event', type, data: { ...data }, subject }, deliver);
  };
  const progress = createLatestOnly<ProgressDocument>(clock, intervalMs, (value) =>
    emit('progress', value, { nodeId: value.current_node }),
  );
  const previews = createLatestOnly<Preview>(clock, intervalMs, (message) => intercept(message, deliver));
  const emitOutput = (output: JobOutput): void =>
    emit('output', options.outputData(output), { nodeId: output.nodeId });
  const isLate = options.outputEvents === 'after the end';

  return {
    job,
    metadata: () => metadata,
    outputs,
    status: () => status,
    queuePosition: () => queuePosition,
    progress: () => tracker.current() ?? ended?.progress,
    preview: () => preview,
    listen: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    read: (message) => {
      if (message.kind === 'preview' && message.layout === 4) {
        preview = message;
        previews.push(message);
      }
      const current = tracker.read(message) ? tracker.current() : undefined;
      if (current) progress.push(current);
    },
    addOutput: (output) => {
      outputs.push(output);
      if (!isLate) emitOutput(output);
    },
    setPlace: (nextStatus, nextPosition) => {
      if (isTerminal(status) || (nextStatus === status && nextPosition === queuePosition)) return;
      status = nextStatus;
      queuePosition = nextPosition;
      const isEnd = isTerminal(status);
      if (isEnd) {
        preview = undefined;
        progress.flush();
        previews.flush();
      }
      emit('status', { status, queue_position: queuePosition }, { isEnd });
      if (!isEnd) return;
      if (isLate) for (const output of outputs) emitOutput(output);
      for (const { onEnd } of [...listeners]) onEnd();
      listeners.clear();
    },
    setMetadata: (next) => {
      metadata = next;
    },
    stop: () => {
      progress.stop();
      previews.stop();
    },
  };
};
