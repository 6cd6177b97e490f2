import type { BoardJob } from '../jobs/job-board.js';
import { isTerminal } from '../../state/job-state.js';
import type { StreamContext } from './stream-context.js';
import type { StreamForm } from '../jobs/gateway-jobs.js';

/** What a reader has of the progress and the previews of jobs: only the latest of them is worth sending. */
export interface CurrentState {
  /** The progress or a preview of this job may be new to the reader. */
  readonly noted: (jobId: string) => void;
  /** The reader has the progress of the job. */
  readonly hasProgress: (job: BoardJob) => void;
  /** The reader needs neither the progress nor the previews that there are. */
  readonly hasAll: (job: BoardJob) => void;
  /** Whether nothing may be new to the reader. */
  readonly isEmpty: () => boolean;
  /** Whether there are previews that the reader has not. */
  readonly hasPreviews: () => boolean;
  /** Puts what is new while there is room for it; gives the time until a progress may come that has to wait. */
  readonly put: (room: () => number, ticket: string | undefined) => number | undefined;
}

/** Makes the {@link CurrentState} of a reader, which `put` sends the bytes of events. */
export const currentState = (
  { board, clock, tail, words: vocabularies }: StreamContext,
  form: StreamForm,
  put: (tails: readonly Uint8Array[]) => void,
): CurrentState => {
  const { view, base } = form;
  const words = vocabularies[view];
  const needsTicket = view === 'native' && form.previewTicket !== undefined;
  const noted = new Set<string>();
  const sent = new Map<string, Sent>();
  const sentOf = (jobId: string): Sent => {
    let own = sent.get(jobId);
    if (own === undefined) sent.set(jobId, (own = { progress: -1, at: -Infinity, previews: new Map() }));
    return own;
  };

  /** Gives how long the progress has to wait. */
  const putProgress = (job: BoardJob, own: Sent): number => {
    if (own.progress >= job.progressVersion) return 0;
    const leftMs = own.at + words.progressEveryMs - clock.now();
    if (leftMs > 0) return leftMs;
    put(
      tail(job.state, `${view} progress`, form, () => {
        const event = words.progress(job);
        return event === undefined ? [] : [event];
      }),
    );
    own.progress = job.progressVersion;
    own.at = clock.now();
    return 0;
  };

  return {
    noted: (jobId) => {
      noted.add(jobId);
    },
    hasProgress: ({ record, progressVersion }) => {
      sentOf(record.id).progress = progressVersion;
    },
    hasAll: ({ record, progressVersion, previews }) => {
      const ids = new Map([...previews].map(([nodeId, { id }]) => [nodeId, id]));
      sent.set(record.id, { progress: progressVersion, at: -Infinity, previews: ids });
    },
    isEmpty: () => noted.size === 0,
    hasPreviews: () => {
      for (const jobId of noted) {
        for (const { nodeId, id } of board.get(jobId)?.previews.values() ?? [])
          if (sent.get(jobId)?.previews.get(nodeId) !== id) return true;
      }
      return false;
    },
    put: (room, ticket) => {
      let againInMs: number | undefined;
      let hasPicture = false;
      for (const jobId of noted) {
        const job = board.get(jobId);
        if (job === undefined || isTerminal(job.state.phase)) {
          noted.delete(jobId);
          sent.delete(jobId);
          continue;
        }
        if (room() <= 0) return againInMs;
        const own = sentOf(jobId);
        const leftMs = putProgress(job, own);
        let isWaiting = leftMs > 0;
        if (isWaiting) againInMs = Math.min(againInMs ?? Infinity, leftMs);
        for (const [nodeId, preview] of job.previews) {
          if (own.previews.get(nodeId) === preview.id) continue;
          // It came after the ticket was asked for, and is news to the next turn.
          if (needsTicket && ticket === undefined) {
            isWaiting = true;
            continue;
          }
          const name = `${view} ${base} ${ticket ?? ''}`;
          const tails = tail(preview, name, form, () => [words.preview(job, preview, base, ticket)]);
          // A picture that is larger than the room goes alone; the others wait for the next turn.
          if (hasPicture && tails.reduce((sum, { length }) => sum + length, 0) > room()) return againInMs;
          put(tails);
          hasPicture = true;
          own.previews.set(nodeId, preview.id);
        }
        if (!isWaiting) noted.delete(jobId);
      }
      return againInMs;
    },
  };
};

interface Sent {
  /** The version of the progress; -1 for none. */
  progress: number;
  /** When it was sent. */
  at: number;
  /** The ids of previews by node. */
  readonly previews: Map<string, string>;
}
