export { changeServer } from './page/remote/change-server.js';
export { createRemote } from './page/remote/create-remote.js';
export { definitions } from './page/remote/definitions.js';
export { deleteJob, deleteJobs } from './page/remote/delete-jobs.js';
export type { DeletedJob } from './page/remote/delete-jobs.js';
export { preflight } from './page/remote/preflight.js';
export { isServiceError } from './core/errors/tagged-error.js';
export { isTerminal } from './core/state/job-state.js';
export { nameOutputs } from './workflow/outputs/name-outputs.js';
export { objectUrls } from './page/remote/object-urls.js';
export { outputFiles, outputKind } from './core/state/output-files.js';
export { progress } from './core/operators/progress.js';
export { deleteTemplate, readTemplate, saveTemplate, templates } from './page/remote/templates.js';
export type { NewTemplate, NewTemplateInput, RemoteTemplate } from './page/remote/templates.js';
export { toStore } from './core/interop/to-store.js';

export type { RemoteAsk, RemoteQuestion } from './page/remote/ask.js';
export type { NameableFile, NamedJob, NameOutputsOptions } from './workflow/outputs/name-outputs.js';
export type { OutputName } from './workflow/outputs/output-name.js';
export type { RemoteConnection } from './page/remote/connection.js';
export type { PoolServer } from './core/state/pool-server.js';
export type { ServerCapabilities } from './core/state/server-capabilities.js';
export type { RemoteServer } from './core/events/remote-server.js';
export type { RemoteJob } from './core/events/remote-job.js';
export type { RemoteJobPage, RemoteListOptions } from './page/remote/list.js';
export type { RemoteOutput, RemoteOutputsOptions } from './page/remote/outputs.js';
export type {
  GeneratedFile,
  GeneratedState,
  GenerateInputs,
  GenerateSource,
  InputFile,
} from './generate/generate-types.js';
export { generate } from './page/remote/generate.js';
export type { GeneratingRemote, RemoteGenerateOptions } from './page/remote/generate.js';
export type { JobWebhook } from './page/remote/job-webhook.js';
export type { WebhookKind } from './core/events/webhook-kinds.js';
export type { Remote, RemoteOptions, RemoteRunOptions } from './page/remote/remote.js';
export type { TokenAnswer, TokenSource } from './page/remote/tokens.js';
export type { RemoteUploadOptions, UploadState } from './page/remote/upload.js';
