import type { GatewayJob } from './gateway-jobs.js';
import type { JobState } from '../../../core/state/job-state.js';
import type { RemoteJob } from '../../../core/events/remote-job.js';

/** A state, or its status, as readers get it: `promptId` is the job's id on the gateway, and addresses begin with `base`. */
export const shownState = <State extends Pick<JobState, 'promptId' | 'socketImages'>>(
  state: State,
  job: string,
  base: string,
): State => ({
  ...state,
  promptId: job,
  ...(state.socketImages !== undefined && {
    socketImages: state.socketImages.map(({ url, ...image }) => ({
      ...image,
      ...(url !== undefined && { url: `${base}${url}` }),
    })),
  }),
});

/** Writes a job as the gateway's own streams and routes show it. */
export const nativeDocument = (
  { record, state, startedAt, endedAt }: GatewayJob,
  base: string,
): RemoteJob => {
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
    state: shownState(state, id, base),
  };
};
