import { BehaviorSubject } from 'rxjs';
import type { Clock } from 'promptwire';
import { encodedOnce } from './encoding.js';
import type { EventLog } from '../ports/event-log.js';
import type { GatewayJobs } from '../jobs/gateway-jobs.js';
import type { JobBoard } from '../jobs/job-board.js';
import { openStream } from './job-stream.js';
import type { StreamContext, StreamLimits } from './stream-context.js';
import { streamWords } from './stream-words.js';
import type { V2Documents } from './v2-documents.js';

/** What the streams of a gateway need. */
export interface StreamOptions extends StreamLimits {
  readonly clock: Clock;
  readonly v2: V2Documents;
}

/** Opens streams over the board, until they are closed. */
export interface JobStreams {
  readonly open: GatewayJobs['stream'];
  /** Sends every reader away, to come back later. */
  readonly close: () => void;
}

/** Makes the streams of a gateway: events are encoded once for all readers. */
export const jobStreams = (options: StreamOptions, board: JobBoard, log: EventLog): JobStreams => {
  const { v2 } = options;
  const closing = new BehaviorSubject(false);
  const context: StreamContext = {
    ...options,
    board,
    log,
    words: streamWords(v2),
    v2Status: v2.v2Status,
    encodedOnce: encodedOnce(),
    closing,
  };
  return {
    open: (scope, form, start, ends) => {
      const { owner, jobId } = scope;
      const isKnown = jobId === undefined || board.get(jobId)?.record.owner === owner;
      return isKnown ? openStream(context, scope, form, start, ends) : Promise.resolve(undefined);
    },
    close: () => closing.next(true),
  };
};
