import type { JobEntry } from '../registry/job-entry.js';
import { encodings } from './encoding.js';
import type { GatewayPreview, StreamForm } from '../model/gateway-jobs.js';
import { isTerminal } from '../../../core/state/job-state.js';
import type { StreamContext } from './stream-context.js';

/** The progress and previews that a reader has of each job, of which only the latest is worth sending, and the jobs that are gone. */
export interface CurrentState {
  /** The progress or a preview of this job may be new to the reader, or the job is gone. */
  readonly markChanged: (jobId: string) => void;
  /** The reader has the progress of the job. */
  readonly skipProgress: (job: JobEntry) => void;
  /** The reader does not need the current progress and previews of the job. */
  readonly skipAll: (job: JobEntry) => void;
  /** Whether nothing may be new to the reader. */
  readonly isEmpty: () => boolean;
  /** The ticket for the previews that the reader lacks; undefined if it needs no ticket. */
  readonly ticket: () => string | Promise<string> | undefined;
  /** Takes what is new while there is room for it, for a reader at a position of the log. */
  readonly take: (position: string, room: number, ticket: string | undefined) => CurrentFrames;
}

/** The newest progress and previews, encoded. */
export interface CurrentFrames {
  readonly frames: readonly Uint8Array[];
  /** How long the next progress has to wait, in milliseconds. */
  readonly againInMs: number | undefined;
}

/** What the reader has of one job. */
interface Sent {
  /** The version of the progress; -1 for none. */
  progress: number;
  /** When it was sent. */
  at: number;
  /** The ids of previews by node. */
  readonly previews: Map<string, string>;
}

/** What one {@link CurrentState.take} takes. */
interface Batch {
  readonly position: string;
  readonly ticket: string | undefined;
  readonly frames: Uint8Array[];
  room: number;
  hasPreview: boolean;
}

const add = (batch: Batch, frames: readonly Uint8Array[]): void => {
  batch.frames.push(...frames);
  batch.room -= sizeOf(frames);
};

const sizeOf = (frames: readonly Uint8Array[]): number => frames.reduce((sum, { length }) => sum + length, 0);

/** Makes the {@link CurrentState} of a reader; those with one name get the same bytes. */
export const currentState = (
  { registry, clock, encodedOnce, serializers }: StreamContext,
  { view, base, format, previewTicket }: StreamForm,
  name: string,
): CurrentState => {
  const serializer = serializers[view];
  const encoding = encodings[format];
  const ticketOf = view === 'native' ? previewTicket : undefined;
  const progressName = `${name} progress`;
  const changed = new Set<string>();
  const sent = new Map<string, Sent>();
  const sentOf = (jobId: string): Sent => {
    let own = sent.get(jobId);
    if (own === undefined) sent.set(jobId, (own = { progress: -1, at: -Infinity, previews: new Map() }));
    return own;
  };

  /** Gives how long the progress has to wait. */
  const takeProgress = (job: JobEntry, own: Sent, batch: Batch): number => {
    const { progressVersion } = job;
    if (own.progress >= progressVersion) return 0;
    const waitMs = own.at + serializer.progressEveryMs - clock.now();
    if (waitMs > 0) return waitMs;
    add(
      batch,
      encodedOnce(job.state, progressName, batch.position, () => {
        const progress = serializer.progress(job);
        const id = `${batch.position}~p${progressVersion}`;
        return progress === undefined ? [] : [encoding.event(id, progress.event, progress.data)];
      }),
    );
    own.progress = progressVersion;
    own.at = clock.now();
    return 0;
  };
  const previewFrames = (job: JobEntry, preview: GatewayPreview, { position, ticket }: Batch) =>
    encodedOnce(preview, ticket === undefined ? name : `${name} ${ticket}`, position, () => {
      const { event, data } = serializer.preview(job, preview, base, ticket);
      return [encoding.event(`${position}~v${preview.id}`, event, data)];
    });
  /** Gives whether there are more: `later` for those that wait for a ticket, `full` where there was no room. */
  const takePreviews = (job: JobEntry, own: Sent, batch: Batch): 'none' | 'later' | 'full' => {
    if (job.previews.size === 0) return 'none';
    const unsent = [...job.previews].filter(([nodeId, { id }]) => own.previews.get(nodeId) !== id);
    // They came after the ticket was asked for.
    if (unsent.length > 0 && ticketOf !== undefined && batch.ticket === undefined) return 'later';
    for (const [nodeId, preview] of unsent) {
      const frames = previewFrames(job, preview, batch);
      // A picture that is larger than the room goes alone.
      if (batch.hasPreview && sizeOf(frames) > batch.room) return 'full';
      add(batch, frames);
      batch.hasPreview = true;
      own.previews.set(nodeId, preview.id);
    }
    return 'none';
  };

  const takeDeleted = (jobId: string, batch: Batch): void => {
    const deleted = serializer.deleted?.(jobId);
    if (deleted !== undefined)
      add(batch, [encoding.event(`${batch.position}~d${jobId}`, deleted.event, deleted.data)]);
  };

  return {
    markChanged: (jobId) => {
      changed.add(jobId);
    },
    skipProgress: ({ record, progressVersion }) => {
      sentOf(record.id).progress = progressVersion;
    },
    skipAll: ({ record, progressVersion, previews }) => {
      const ids = new Map([...previews].map(([nodeId, { id }]) => [nodeId, id]));
      sent.set(record.id, { progress: progressVersion, at: -Infinity, previews: ids });
    },
    isEmpty: () => changed.size === 0,
    ticket: () => {
      if (ticketOf === undefined) return undefined;
      for (const jobId of changed) {
        for (const { nodeId, id } of registry.get(jobId)?.previews.values() ?? [])
          if (sent.get(jobId)?.previews.get(nodeId) !== id) return ticketOf();
      }
      return undefined;
    },
    take: (position, room, ticket) => {
      const batch: Batch = { position, ticket, frames: [], room, hasPreview: false };
      let againInMs: number | undefined;
      for (const jobId of changed) {
        const job = registry.get(jobId);
        if (batch.room <= 0) break;
        if (job === undefined || isTerminal(job.state.phase)) {
          if (job === undefined) takeDeleted(jobId, batch);
          changed.delete(jobId);
          sent.delete(jobId);
          continue;
        }
        const own = sentOf(jobId);
        const waitMs = takeProgress(job, own, batch);
        if (waitMs > 0) againInMs = Math.min(againInMs ?? Infinity, waitMs);
        const more = takePreviews(job, own, batch);
        if (more === 'full') break;
        if (waitMs <= 0 && more === 'none') changed.delete(jobId);
      }
      return { frames: batch.frames, againInMs };
    },
  };
};
