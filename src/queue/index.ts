export { createJobQueue } from './jobs/create-job-queue.js';
export type {
  AddOptions,
  JobQueue,
  ListOptions,
  QueueJob,
  QueueJobPhase,
  QueueStats,
} from './jobs/create-job-queue.js';
export type {
  CancelRequestedEvent,
  JobProgress,
  JobStatusMembers,
  LifecycleEvent,
  OutputEvent,
  StatusEvent,
  SubmittedEvent,
  Timed,
} from '../events/job-event.js';
export type { QueueEvent } from './jobs/follow-log.js';
export type * from '../gateway/ports/event-log.js';
export type * from '../gateway/ports/job-index.js';
export { redisPorts, type RedisPorts, type RedisPortsOptions } from './jobs/redis-ports.js';
export { createWorker } from './worker/create-worker.js';
export type { QueueWorker, WorkerCloseOptions, WorkerHealth } from './worker/create-worker.js';
export { folderSink } from './worker/folder-sink.js';
export type {
  DeliveredJob,
  DeliveryContext,
  JobSink,
  QueueConnection,
  QueueOptions,
  QueueRetention,
  QueueWorkerOptions,
} from './options.js';
export type { LookRules } from '../gateway/lost/by-sight.js';
export type { SubmissionRules } from './policy/rules.js';
export type {
  QueueJobMessage,
  QueueMessages,
  QueueNoticeMessage,
  QueueStatsMessage,
  QueueStepMessage,
  QueueUnknownMessage,
} from './telemetry/channels.js';
