import type { Account, Service } from '../cloud/cloud-service.js';
import { type AssetStore, hashOfOutput } from './asset-store.js';
import type { Blake3 } from './blake3.js';
import {
  createJobFeed,
  type EndedFeed,
  type FeedWriter,
  type JobFeed,
  type JobFeedOptions,
  type Metadata,
} from './job-feed.js';
import { filesOf } from './output-files.js';
import { isTerminal, type JobStatus, outputType } from './documents.js';
import { type Job, stateOf } from '../scheduler/job.js';
import { mediaTypeOf } from '../store/file-store.js';
import type { ServiceMessage } from '../messages.js';
import type { V2Switches } from './switches.js';

/** The jobs of one account, as API v2 shows them. */
export interface JobFeeds {
  /** Undefined for unknown jobs and those past their retention. */
  readonly get: (jobId: string) => JobFeed | undefined;
  /** The newest first. */
  readonly all: () => readonly JobFeed[];
  /** Gives a job that was just submitted its labels. */
  readonly setMetadata: (jobId: string, metadata: Metadata | undefined) => void;
  /** Says what is known of jobs that had ended, before the scheduler takes them up. */
  readonly restore: (ended: ReadonlyMap<string, EndedFeed>) => void;
  readonly stop: () => void;
}

/** Options of {@link createJobFeeds}. */
export interface JobFeedsOptions {
  readonly service: Service;
  readonly account: Account;
  readonly assets: AssetStore;
  readonly blake3: Pick<Blake3, 'hash'>;
  readonly outputData: JobFeedOptions['outputData'];
}

/** Follows every later job of the account. */
export const createJobFeeds = ({
  service,
  account,
  assets,
  blake3,
  outputData,
}: JobFeedsOptions): JobFeeds => {
  const { switches, speed, clock } = service.settings;
  const feeds = new Map<string, FeedWriter>();
  const ended = new Map<string, EndedFeed>();
  /** Feeds of jobs that have not ended. */
  const live = new Set<FeedWriter>();
  const intercept = service.faults.createEventInterceptor();

  const updatePlaces = (): void => {
    const first = switches.queuePositionFrom;
    const positions = new Map(
      first === null ? [] : account.scheduler.waiting().map(({ id }, index) => [id, index + first]),
    );
    for (const feed of live) {
      const status = statusOf(feed.job, switches);
      feed.setPlace(status, status === 'queued' ? (positions.get(feed.job.id) ?? null) : null);
      if (isTerminal(status)) live.delete(feed);
    }
  };

  const addOutputs = (feed: FeedWriter, nodeId: string, output: unknown): void => {
    for (const { key, filename, subfolder, type } of filesOf(output)) {
      if (type === 'temp' && !switches.tempOutputs) continue;
      const file = account.files.find(filename, type, subfolder);
      if (!file) continue;
      const contentType = mediaTypeOf(filename);
      const asset = assets.add({
        bytes: file.bytes,
        hash: hashOfOutput(file.bytes, blake3, switches.outputDetails),
        contentType,
        filePath: filename,
        jobId: feed.job.id,
        expiresInMs: undefined,
      });
      feed.addOutput({ nodeId, name: filename, type: outputType(key, contentType), asset });
    }
  };

  const open = (job: Job): FeedWriter => {
    const feed = createJobFeed({
      ...{ job, clock, intercept, outputData, ended: ended.get(job.id) },
      intervalMs: switches.progressIntervalMs / speed,
      outputEvents: switches.outputEvents,
    });
    feeds.set(job.id, feed);
    return feed;
  };

  account.watch({
    onAccepted: (job) => void live.add(open(job)),
    onRestored: open,
    onStatus: updatePlaces,
    onMessage: (message) => {
      const feed = feeds.get(jobIdOf(message) ?? '');
      if (!feed) return;
      feed.read(message);
      if (message.kind === 'event' && message.type === 'executed') {
        addOutputs(feed, String(message.data['node']), message.data['output']);
      }
    },
  });

  const isKept = ({ job }: JobFeed): boolean =>
    job.endedAt === undefined || clock.now() < job.createdAt + switches.retentionMs;
  return {
    get: (jobId) => {
      const feed = feeds.get(jobId);
      return feed && isKept(feed) ? feed : undefined;
    },
    all: () => [...feeds.values()].filter(isKept).reverse(),
    setMetadata: (jobId, metadata) => feeds.get(jobId)?.setMetadata(metadata),
    restore: (restored) => {
      for (const [jobId, feed] of restored) ended.set(jobId, feed);
    },
    stop: () => {
      for (const feed of live) feed.stop();
    },
  };
};

/** The status of a job in the words of API v2. */
const statusOf = (job: Job, { lostJob }: Pick<V2Switches, 'lostJob'>): JobStatus => {
  if (job.status === 'lost') return lostJob === 'failed' ? 'failed' : 'expired';
  if (job.status === 'cancel_pending' || job.status === 'cancel_requested') return 'canceling';
  return statusWords[stateOf(job.status)];
};

const statusWords = {
  pending: 'queued',
  in_progress: 'running',
  completed: 'succeeded',
  failed: 'failed',
  cancelled: 'canceled',
} as const;

const jobIdOf = (message: ServiceMessage): string | undefined => {
  switch (message.kind) {
    case 'event':
      return typeof message.data['prompt_id'] === 'string' ? message.data['prompt_id'] : undefined;
    case 'preview':
      return message.metadata.prompt_id;
    case 'text':
      return message.promptId;
    case 'raw':
      return undefined;
  }
};
