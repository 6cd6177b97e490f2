// The public surface that every platform shares: values first, then types, each in the order of the alphabet.
export { abortable } from './core/interop/abortable.js';
export { collectOutputs } from './core/operators/collect-outputs.js';
export { decodeFrame } from './core/protocol/frames/decode-frame.js';
export { endsJob } from './core/protocol/attribution/running-prompts.js';
export { forPrompt } from './core/operators/for-prompt.js';
export { fromAbortSignal } from './core/interop/from-abort-signal.js';
// eslint-disable-next-line @typescript-eslint/no-deprecated -- public for one more minor version
export { fromSignal, readWorkflow, toSignal } from './client/deprecated.js';
export { fromTaskEither } from './core/interop/from-task-either.js';
export { initialJobState } from './core/state/initial-job-state.js';
export { isServiceError, serviceError } from './core/errors/service-error.js';
export { safeFileName } from './core/names/safe-file-name.js';
export { isTerminal } from './core/state/job-state.js';
export { jobStates } from './core/operators/job-states.js';
export { latest } from './core/operators/latest.js';
export { mediaTypeOfName, sniffMediaType } from './core/protocol/media-type.js';
export { mergeOutputs } from './core/state/merge-outputs.js';
export { outputFiles } from './core/state/output-files.js';
export { outputKind } from './core/state/output-files.js';
export { outputTexts } from './core/state/output-texts.js';
export { unreadOutputs } from './core/state/unread-outputs.js';
export { previews } from './core/operators/previews.js';
export { progress } from './core/operators/progress.js';
export { progressText } from './core/operators/progress-text.js';
export { readApiWorkflow } from './workflow/read-api-workflow.js';
export { redactor } from './core/redaction/redact.js';
export { render } from './core/errors/render.js';
export { fileInput } from './workflow/file-input.js';
export { setInput } from './workflow/edit/set-input.js';
export { stepJobState } from './core/state/step-job-state.js';
export { tapTrace } from './core/operators/tap-trace.js';
export { toAbortSignal } from './core/interop/to-abort-signal.js';
export { toAsyncIterable } from './core/interop/to-async-iterable.js';
export { toPromise } from './core/interop/to-promise.js';
export { toReadableStream } from './core/interop/to-readable-stream.js';
export { toStore } from './core/interop/to-store.js';
export { toTaskEither } from './core/interop/to-task-either.js';
export { TransportError } from './core/platform/platform.js';
export { untilTerminal } from './core/operators/until-terminal.js';

export type { AbortableOptions } from './core/interop/abortable.js';
export type { AsyncIterableOptions, AsyncValues } from './core/interop/to-async-iterable.js';
export type { Call } from './core/interop/call.js';
export type { Client } from './client/client-types.js';
export type { JobCalls } from './client/job-calls.js';
export type { DeleteOptions, Deletion } from './client/dialects/deletion.js';
export type { JobList } from './client/jobs/list-jobs.js';
export type { JobsOptions } from './client/dialects/jobs-query.js';
export type { ListedJob } from './core/endpoints/job-list.js';
export type { ClientOptions, CommonClientOptions, Connection } from './client/client-options.js';
export type { RequestBudgetOptions } from './client/jobs/rate-limiter.js';
export type { FrameLimits } from './client/jobs/frame-memory.js';
export type { ClientStop } from './core/http/client-stop.js';
export type { Pullable } from './client/jobs/pull-map.js';
export type { CallMark, RecentSubmission } from './client/jobs/recent-submissions.js';
export type { Workflows } from './client/jobs/run-all.js';
export type { ClientTier, LabelledSubmitOptions, RunAllOptions, RunOptions } from './client/jobs/run.js';
export type { IndexedJobState } from './client/jobs/run-all.js';
export type { ConnectionState } from './core/socket/connection-state.js';
export type { RecorderContext, SocketRecorder, SocketTape } from './core/socket/socket-recorder.js';
export type { SubmissionIds } from './core/lost/submission-ids.js';
export type { Dialect } from './client/dialects/dialects.js';
export type { DecodeFrameOptions } from './core/protocol/frames/decode-frame.js';
export type {
  DownloadOptions,
  DownloadSource,
  DownloadState,
  JobOfSource,
  JobOutputs,
  SavedFile,
} from './core/files/download-state.js';
// eslint-disable-next-line @typescript-eslint/no-deprecated -- public for one more minor version
export type { Event, History, JobEvent, Text } from './client/deprecated.js';
export type {
  EventFrame,
  Frame,
  Malformed,
  Preview,
  TextFrame,
  Unknown,
} from './core/protocol/frames/frame.js';
export type { EventData, EventType, ExecInfo, ProgressStateNode } from './core/protocol/event-data.js';
export type { Job } from './client/jobs/job-handle.js';
export type { ExistingJobOptions, FollowOptions } from './client/jobs/follow.js';
export type { SocketImage } from './core/state/socket-image.js';
export type { JobInput } from './core/state/step-job-state.js';
export type { JobFailure } from './core/state/failure.js';
export type { JobPhase, TerminalPhase } from './core/state/job-state.js';
export type { InitialJobStateOptions } from './core/state/initial-job-state.js';
export type { JobStatesOptions } from './core/operators/job-states.js';
export type { JobState, NodeState } from './core/state/job-state.js';
export type { LatestOptions } from './core/operators/latest.js';
export type { NodeErrorEntry, NodeErrors, NodeProblem } from './core/state/node-errors.js';
export type { AssetRef, FileRef, UploadedFile } from './core/protocol/file-ref.js';
export type { NodeOutputs, Outputs } from './core/state/outputs.js';
export type { OutputFile, OutputFilesOptions } from './core/state/output-files.js';
export type { OutputName } from './workflow/outputs/output-name.js';
export type { OutputKind } from './core/state/output-files.js';
export type { OutputText } from './core/state/output-texts.js';
export type { UnreadOutput } from './core/state/unread-outputs.js';
export type { JobAsset } from './core/endpoints/job-assets.js';
export type { Features } from './core/endpoints/features.js';
export type { DeviceStats, SystemStats } from './core/endpoints/system-stats.js';
export type { V2Rest } from './core/http/v2-rest.js';
export type { EngineRest, UserdataListOptions, UserdataWriteOptions } from './core/http/engine-rest.js';
export type { EngineLogEntry, EngineLogs } from './core/endpoints/local/engine-logs.js';
export type { FreedMemory } from './core/endpoints/local/free.js';
export type { HistoryPage } from './core/endpoints/local/history-list.js';
export type { UserdataFile } from './core/endpoints/local/userdata.js';
export type { JobLogs } from './core/endpoints/v2/logs.js';
export type { SignedUrl } from './core/endpoints/v2/assets.js';
export type { QueuePlace } from './core/state/queue-place.js';
export type { PreviewMethod, SubmitRequests } from './core/endpoints/submit-requests.js';
export type { UnreadReason } from './core/state/output-shapes.js';
export type { FileMetadata } from './core/state/outputs.js';
export type { OverflowPolicy } from './core/interop/bounded-queue.js';
export type {
  CancelTimer,
  Clock,
  Files,
  FormPart,
  HttpRequest,
  HttpResponse,
  PartFile,
  Platform,
  SocketEnd,
  SocketHandle,
  SocketListener,
  SocketOptions,
  TransportFailure,
} from './core/platform/platform.js';
export type { HeaderValues } from './core/http/own-headers.js';
export type { HostClass } from './core/platform/host-class.js';
export type { WebSocketConstructor, WebSocketLike } from './core/platform/web-socket.js';
export type {
  Generated,
  GeneratedFile,
  GeneratedState,
  GenerateInputs,
  GenerateSource,
  InputFile,
} from './generate/generate-types.js';
export type { GenerateOptions } from './client/generate-options.js';
export type { LogDetails, Logger, WriteLog } from './core/log/logger.js';
export type { DurationStore } from './core/estimate/durations.js';
export type { JobPlan, PlannedNode } from './core/state/job-plan.js';
export type { Progress, ProgressOptions } from './core/operators/progress.js';
export type { ProgressStage } from './core/estimate/stage-of.js';
export type {
  Retry,
  ServiceError,
  ServiceErrorDetails,
  ServiceErrorFields,
  ServiceErrorOf,
  ServiceErrorTag,
} from './core/errors/errors.js';
export type { InputTarget, InvalidTarget, NodeTarget } from './workflow/edit/target.js';
export type { SetInputArguments } from './workflow/edit/set-input.js';
export type { ServiceErrorInit } from './core/errors/service-error.js';
export type { Store } from './core/interop/to-store.js';
export type { TapTraceOptions } from './core/operators/tap-trace.js';
export type { UntilTerminalOptions } from './core/operators/until-terminal.js';
export type { ModelFolders } from './workflow/preflight/models.js';
export type { PreflightFacts } from './workflow/preflight/facts.js';
export type { PreflightOptions } from './client/preflight/preflight-options.js';
export type {
  MissingClass,
  NamedModel,
  NeededUpload,
  NodePrice,
  PaidNode,
  Plan,
  PreflightReport,
  ReplacedNode,
} from './workflow/preflight/report.js';
export type { Rules } from './workflow/validate/rules.js';
export type { UiWorkflow } from './workflow/convert/ui-workflow.js';
export type { Verdict } from './workflow/validate/verdict.js';
export type { InputProblem, Problem } from './core/protocol/problem.js';
export type { ValidateMode } from './client/jobs/validation.js';
export type { AssetInput } from './workflow/file-input.js';
export type { Workflow, WorkflowNode } from './core/protocol/workflow.js';
export type {
  CallOptions,
  Cancellation,
  FileBytes,
  FileContent,
  HistoryRecord,
  InterruptOptions,
  JobDetail,
  JobStatus,
  NodeInfo,
  ObjectInfo,
  ObjectInfoOptions,
  Queue,
  QueueItem,
  RecentJob,
  RecentJobsOptions,
  JobDetailOptions,
  RecordOptions,
  ResumePoint,
  Rest,
  Submission,
  SubmitOptions,
  UploadOptions,
  UploadSource,
  User,
  ViewOptions,
} from './core/http/rest.js';
