import type { Client } from '../../../client/client-types.js';
import type { ServiceErrorTag } from '../../../core/errors/errors.js';
import { isServiceError } from '../../../core/errors/service-error.js';
import type { ImagePlace } from '../../joblog/job-images.js';
import type { JobSink } from '../options.js';
import type { OpenQueue } from '../jobs/open-queue.js';
import type { QueueRecord } from '../store/job-store.js';
import { pauseUnless } from './pause-unless.js';
import { publish } from '../telemetry/channels.js';
import { readJobLog } from '../follow/read-job-log.js';
import type { TokenEnd } from '../engine/run-tokens.js';

/** The log and the service that know a job's files, and the sink that gets them. */
export interface DeliveryOptions {
  readonly sink: JobSink;
  /** The client that reads the files of a job; undefined if this worker reaches none. */
  readonly clientOf: (job: QueueRecord) => Client | undefined;
  readonly queue: Pick<OpenQueue, 'store' | 'queueStore' | 'log' | 'logger' | 'clock'>;
  readonly name: string;
  readonly worker: string;
  readonly signal: AbortSignal;
}

/** How long a delivery is left to other workers, in milliseconds. */
const elsewhereMs = 500;

const pause = (...wait: Parameters<typeof pauseUnless>): Promise<TokenEnd> =>
  pauseUnless(...wait).then(
    () => 'requeue',
    () => 'requeue',
  );

/** Makes the delivery of one job's files to the sink. It rejects where the sink does, and is tried again then. */
export const deliverFiles =
  ({
    sink,
    clientOf,
    queue: { store, queueStore, log, logger, clock },
    name,
    worker,
    signal: stopping,
  }: DeliveryOptions) =>
  async (id: string, lost: AbortSignal): Promise<TokenEnd> => {
    const signal = AbortSignal.any([stopping, lost]);
    if (signal.aborted) return 'requeue';
    const job = await store.get(id);
    const state = job && (await readJobLog(log, job.tenant, id));
    if (job === undefined || state?.phase !== 'completed') return 'done';
    const client = clientOf(job);
    // A worker that reaches its server has the slot token next.
    if (client === undefined) return pause(clock, signal, elsewhereMs);
    const { tenant } = job;
    const startedAt = clock.wall();
    const report = (error?: ServiceErrorTag): void => {
      const about = { queue: name, jobId: id, tenant, worker, promptId: state.promptId };
      const message = () => ({ ...about, startedAt, endedAt: clock.wall(), error });
      publish('promptwire:queue:download', message, logger);
    };
    const isAborted = (): boolean => signal.aborted;
    try {
      const socketImage = (place: ImagePlace) => queueStore.image(id, place);
      await sink.deliver({ id, tenant, state }, { client, socketImage, signal });
      report();
      return 'done';
    } catch (error) {
      if (isAborted()) return 'requeue';
      report(isServiceError(error) ? error._tag : 'Defect');
      throw error;
    }
  };
