import type { BehaviorSubject } from 'rxjs';
import type { BoardJob, JobBoard } from '../jobs/job-board.js';
import type { Clock } from 'promptwire';
import type { EventLog } from '../ports/event-log.js';
import type { StreamEvent, StreamWords } from './stream-words.js';
import type { StreamForm } from '../jobs/gateway-jobs.js';

/** How much a reader gets, and how long it may take. */
export interface StreamLimits {
  /** At most this many bytes at a time, unless one event is larger; default 65 536. */
  readonly readerBytes?: number | undefined;
  /** A reader that takes nothing for so long while something waits is cut; default 30 000. */
  readonly stallMs?: number | undefined;
  /** A sign of life after so much silence; default 15 000. */
  readonly keepAliveMs?: number | undefined;
}

/** What all streams share. */
export interface StreamContext extends StreamLimits {
  readonly clock: Clock;
  readonly board: JobBoard;
  readonly log: EventLog;
  readonly words: Readonly<Record<StreamForm['view'], StreamWords>>;
  /** The first event of a connection in the words of API v2. */
  readonly v2Status: (job: BoardJob) => StreamEvent;
  /** The bytes of an event without its id, made once. */
  readonly tail: (
    of: object,
    name: string,
    form: StreamForm,
    make: () => readonly StreamEvent[],
  ) => readonly Uint8Array[];
  /** Whether the gateway closes. Node warns of signals with so many listeners. */
  readonly closing: BehaviorSubject<boolean>;
}
