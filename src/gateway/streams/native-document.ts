import type { GatewayJob } from '../jobs/gateway-jobs.js';
import type { JobState } from 'promptwire';

/** A job as the gateway's own streams and routes show it. */
export interface NativeDocument {
  readonly id: string;
  /** In milliseconds since 1970, as all times here. */
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly startedAt?: number;
  readonly endedAt?: number;
  readonly cancelRequestedAt?: number;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly template?: string;
  /** Its `promptId` is the job's id on the gateway. */
  readonly state: JobState;
}

/** Writes a job as a document. */
export const nativeDocument = ({ record, state, startedAt, endedAt }: GatewayJob): NativeDocument => {
  const { id, createdAt, expiresAt, cancelRequestedAt, metadata, template } = record;
  return {
    id,
    createdAt,
    expiresAt,
    ...(startedAt !== undefined && { startedAt }),
    ...(endedAt !== undefined && { endedAt }),
    ...(cancelRequestedAt !== undefined && { cancelRequestedAt }),
    ...(metadata !== undefined && { metadata }),
    ...(template !== undefined && { template }),
    state: { ...state, promptId: id },
  };
};
