import type { BehaviorSubject } from 'rxjs';
import type { JobEntry } from '../registry/job-entry.js';
import type { PublishedJobs } from '../registry/job-registry.js';
import type { Clock } from '../../../core/platform/platform.js';
import type { EncodedOnce } from './encoding.js';
import type { EventLog } from '../../joblog/event-log.js';
import type { StreamEvent, StreamSerializer } from './stream-serializer.js';
import type { StreamForm } from '../model/gateway-jobs.js';

/** How much a reader gets, and how long it may take. */
export interface StreamLimits {
  /** At most this many bytes at a time, unless one event is larger; default 65 536. */
  readonly readerBytes?: number | undefined;
  /** How long a reader may take nothing while something waits before it is cut, in milliseconds; default 30 000. */
  readonly stallMs?: number | undefined;
  /** How long a stream may be silent before a sign of life, in milliseconds; default 15 000. */
  readonly keepAliveMs?: number | undefined;
  /** Gets what ended the stream of one reader unexpectedly. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** What all streams share. */
export interface StreamContext extends StreamLimits {
  readonly clock: Clock;
  readonly registry: PublishedJobs;
  readonly log: EventLog;
  readonly serializers: Readonly<Record<StreamForm['view'], StreamSerializer>>;
  /** The first event of a connection in API v2. */
  readonly v2Status: (job: JobEntry) => StreamEvent;
  readonly encodedOnce: EncodedOnce;
  /** Whether the gateway closes. Node warns of signals with so many listeners. */
  readonly closing: BehaviorSubject<boolean>;
}
