import type { GatewayJob } from './gateway-jobs.js';
import type { RemoteJob } from '../../../core/events/remote-job.js';

/** Writes a job as the gateway's own streams and routes show it; its `promptId` is the job's id on the gateway. */
export const nativeDocument = ({ record, state, startedAt, endedAt }: GatewayJob): RemoteJob => {
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
