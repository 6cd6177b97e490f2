import type { CallerBase } from '../v2/documents.js';
import type { GatewayJob } from '../jobs/gateway-jobs.js';
import type { JobState } from 'promptwire';
import { outputsOfJob } from '../v2/output-documents.js';

/** A job as the gateway's own routes show it. */
export interface NativeJob {
  readonly id: string;
  /** Its `promptId` is the job's id on the gateway. */
  readonly state: JobState;
  /** In milliseconds since 1970, as all times here. */
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly startedAt?: number;
  readonly endedAt?: number;
  readonly cancelRequestedAt?: number;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly template?: string;
  /** The files of `state.outputs` and where the gateway serves them. */
  readonly files: readonly NativeFile[];
}

/** A file of a job's outputs. */
export interface NativeFile {
  readonly id: string;
  readonly nodeId: string;
  readonly filename: string;
  readonly mediaType: string;
  readonly url: string;
}

/** Writes a job as the gateway's own routes show it. */
export const nativeJob = (job: GatewayJob, base: CallerBase): NativeJob => {
  const { record, state, startedAt, endedAt } = job;
  const { id, createdAt, expiresAt, cancelRequestedAt, metadata, template } = record;
  return {
    id,
    state: { ...state, promptId: id },
    ...{ createdAt, expiresAt },
    ...(startedAt !== undefined && { startedAt }),
    ...(endedAt !== undefined && { endedAt }),
    ...(cancelRequestedAt !== undefined && { cancelRequestedAt }),
    ...(metadata !== undefined && { metadata }),
    ...(template !== undefined && { template }),
    files: outputsOfJob(job).map(({ id: output, nodeId, name, contentType }) => ({
      ...{ id: output, nodeId, filename: name, mediaType: contentType },
      url: `${base}/jobs/${id}/outputs/${output}`,
    })),
  };
};
