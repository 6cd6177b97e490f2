import type { GatewayJob, GatewayPreview } from '../model/gateway-jobs.js';
import type { LoggedEvent } from '../../joblog/event-log.js';

/** One event of API v2's stream. */
export interface V2Event {
  /** Its name: `status`, `progress`, `preview`, `output` or `error`. */
  readonly event: string;
  /** Its document. */
  readonly data: unknown;
}

/** How API v2 tells what the gateway knows: what its stream is made of. */
export interface V2Documents {
  /** The `status` that each connection begins with, and which a job that is over ends with. */
  readonly v2Status: (job: GatewayJob) => V2Event;
  /** What an event of the log is in API v2: a `status`, an `output` for each file of `added`, or nothing. */
  readonly v2Events: (job: GatewayJob, logged: LoggedEvent, base: string) => readonly V2Event[];
  /** How far the job is; undefined if API v2 has nothing to tell. */
  readonly v2Progress: (job: GatewayJob) => V2Event | undefined;
  readonly v2Preview: (preview: GatewayPreview) => V2Event;
}
