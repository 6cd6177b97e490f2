export { createJobQueue } from './server/queue/jobs/create-job-queue.js';
export type { QueueStats } from './server/queue/jobs/queue-stats.js';
export type {
  AddOptions,
  JobQueue,
  QueueGenerateOptions,
  NewQueueJob,
} from './server/queue/jobs/job-queue.js';
export type { ListOptions, QueueChange, QueueJob, QueueJobPhase } from './server/queue/jobs/queue-job.js';
export type {
  CancelRequestedEvent,
  JobProgress,
  JobStatusMembers,
  LifecycleEvent,
  OutputEvent,
  StatusEvent,
  SubmittedEvent,
  Timed,
} from './core/events/job-log-event.js';
export type {
  Generated,
  GeneratedFile,
  GeneratedState,
  GenerateInputs,
  GenerateSource,
  InputFile,
} from './generate/generate-types.js';
export type { WithOnState } from './generate/promised-generate.js';
export type { QueueJobState } from './server/queue/follow/queue-state.js';
export type { QueueEvent } from './server/queue/follow/log-reader.js';
export type * from './server/joblog/event-log.js';
export type * from './server/joblog/job-index.js';
export type { QueueLog, QueueProgress } from './server/joblog/queue-log.js';
export type * from './server/joblog/template-store.js';
export type { ImagePlace, JobImage, JobImages } from './server/joblog/job-images.js';
export { redisPorts, type RedisPorts, type RedisPortsOptions } from './server/queue/jobs/redis-ports.js';
export { createWorker } from './server/queue/worker/create-worker.js';
export type { QueueWorker, WorkerCloseOptions, WorkerHealth } from './server/queue/worker/queue-worker.js';
export { folderSink } from './server/queue/worker/folder-sink.js';
export type {
  DeliveredJob,
  DeliveryContext,
  JobQueueOptions,
  JobSink,
  QueueConnection,
  QueueOptions,
  QueueRetention,
  QueueWorkerOptions,
  RedisInstance,
  RedisServerOptions,
  WorkerPool,
  WorkerPoolServer,
} from './server/queue/options.js';
export type { LookRules } from './core/lost/decide-match.js';
export type { ServerRules, SubmissionRules } from './server/queue/policy/rules.js';
export type { QueueServer } from './server/queue/servers/shown-servers.js';
export type { Placement, PlacementJob, PlacementServer } from './client/pool/placement.js';
export type { PoolServer } from './core/state/pool-server.js';
export type { ServerCapabilities } from './core/state/server-capabilities.js';
export type {
  QueueJobMessage,
  QueueMessages,
  QueueNoticeMessage,
  QueueStatsMessage,
  QueueStepMessage,
  QueueEndMessage,
  QueueUnknownMessage,
} from './server/queue/telemetry/messages.js';
