import { BehaviorSubject } from 'rxjs';
import type { JobEntry } from '../registry/job-entry.js';
import type { Clock } from '../../../core/platform/platform.js';
import { encodedOnce } from './encoding.js';
import type { EventLog } from '../../joblog/event-log.js';
import type { GatewayJobs, StreamStart } from '../model/gateway-jobs.js';
import { isTerminal } from '../../../core/state/job-state.js';
import type { PublishedJobs } from '../registry/job-registry.js';
import { openStream } from './job-stream.js';
import type { StreamContext, StreamLimits } from './stream-context.js';
import { streamSerializers } from './stream-serializer.js';
import type { V2Documents } from './v2-documents.js';

/** The clock and the bounds of a gateway's streams, and how API v2 tells what happened. */
export interface StreamOptions extends StreamLimits {
  readonly clock: Clock;
  readonly v2: V2Documents;
}

/** Opens streams over the registry, until they are closed. */
export interface JobStreams {
  readonly open: GatewayJobs['stream'];
  /** Sends every reader away, to come back later. */
  readonly close: () => void;
}

/** Makes the streams of a gateway: events are encoded once for all readers. */
export const jobStreams = (options: StreamOptions, registry: PublishedJobs, log: EventLog): JobStreams => {
  const { v2 } = options;
  const closing = new BehaviorSubject(false);
  const context: StreamContext = {
    ...options,
    registry,
    log,
    serializers: streamSerializers(v2),
    v2Status: v2.v2Status,
    encodedOnce: encodedOnce(),
    closing,
  };
  return {
    open: async (scope, form, start, ends) => {
      const { owner, jobId } = scope;
      const job = jobId === undefined ? undefined : registry.get(jobId);
      if (jobId !== undefined && job?.record.owner !== owner) return undefined;
      // A stream of API v2 always says the status.
      if (form.view === 'native' && job !== undefined && hasLastEvent(job, start)) return 'over';
      return openStream(context, scope, form, start, ends);
    },
    close: () => closing.next(true),
  };
};

/** The id of a snapshot names the position that it stands for, before a tilde. */
const hasLastEvent = ({ state, position }: JobEntry, { after }: StreamStart): boolean =>
  isTerminal(state.phase) && position !== undefined && after?.split('~', 1)[0] === position;
