import type { BoardJob } from '../jobs/board-job.js';
import { encodings } from './encoding.js';
import { isTerminal } from '../../../core/state/job-state.js';
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

/** Makes the {@link CurrentState} of a reader at a place of the log, which `put` sends events. */
export const currentState = (
  { board, clock, encodedOnce, words: vocabularies }: StreamContext,
  form: StreamForm,
  name: string,
  place: () => string,
  put: (events: readonly Uint8Array[]) => void,
): CurrentState => {
  const { view, base, format } = form;
  const words = vocabularies[view];
  const progressName = `${name} progress`;
  let pictures = { ticket: '', name };
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
    const at = place();
    put(
      encodedOnce(job.state, progressName, at, () => {
        const progress = words.progress(job);
        if (progress === undefined) return [];
        return [encodings[format].event(progressId(at, job.progressVersion), progress.event, progress.data)];
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
          const at = place();
          if (ticket !== undefined && ticket !== pictures.ticket)
            pictures = { ticket, name: `${name} ${ticket}` };
          const picture = encodedOnce(preview, pictures.name, at, () => {
            const { event, data } = words.preview(job, preview, base, ticket);
            return [encodings[format].event(`${at}~v${preview.id}`, event, data)];
          });
          // A picture that is larger than the room goes alone; the others wait for the next turn.
          if (hasPicture && picture.reduce((sum, { length }) => sum + length, 0) > room()) return againInMs;
          put(picture);
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

const progressId = (place: string, version: number): string => `${place}~p${version}`;
