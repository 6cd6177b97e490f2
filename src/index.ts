// The public surface that every platform shares: values first, then types, each in the order of the alphabet.
export { abortable } from './interop/abortable.js';
export { collectOutputs } from './operators/collect-outputs.js';
export { decodeFrame } from './protocol/frames/decode-frame.js';
export { endsJob } from './protocol/attribution/running-prompts.js';
export { forPrompt } from './operators/for-prompt.js';
export { fromAbortSignal } from './interop/from-abort-signal.js';
// eslint-disable-next-line @typescript-eslint/no-deprecated -- public for one more minor version
export { fromSignal, toSignal } from './deprecated.js';
export { fromTaskEither } from './interop/from-task-either.js';
export { initialJobState } from './state/initial-job-state.js';
export { isServiceError, serviceError } from './errors/service-error.js';
export { safeFileName } from './files/safe-file-name.js';
export { isTerminal } from './state/job-state.js';
export { jobStates } from './operators/job-states.js';
export { latest } from './operators/latest.js';
export { mediaTypeOfName, sniffMediaType } from './protocol/media-type.js';
export { mergeOutputs } from './state/merge-outputs.js';
export { outputFiles } from './state/output-files.js';
export { outputKind } from './state/output-files.js';
export { previews } from './operators/previews.js';
export { progress } from './operators/progress.js';
export { progressText } from './operators/progress-text.js';
export { readWorkflow } from './workflow/read-workflow.js';
export { redactor } from './redaction/redact.js';
export { render } from './errors/render.js';
export { fileInput } from './workflow/file-input.js';
export { setInput } from './workflow/edit/set-input.js';
export { stepJobState } from './state/step-job-state.js';
export { tapTrace } from './operators/tap-trace.js';
export { toAbortSignal } from './interop/to-abort-signal.js';
export { toAsyncIterable } from './interop/to-async-iterable.js';
export { toPromise } from './interop/to-promise.js';
export { toReadableStream } from './interop/to-readable-stream.js';
export { toStore } from './interop/to-store.js';
export { toTaskEither } from './interop/to-task-either.js';
export { TransportError } from './platform/platform.js';
export { untilTerminal } from './operators/until-terminal.js';

export type { AbortableOptions } from './interop/abortable.js';
export type { AsyncIterableOptions, AsyncValues } from './interop/to-async-iterable.js';
export type { Client } from './client-types.js';
export type { ClientOptions, CommonClientOptions, Connection } from './client-options.js';
export type { RequestBudgetOptions } from './jobs/rate-limiter.js';
export type { FrameLimits } from './jobs/frame-memory.js';
export type { ClientStop } from './http/client-stop.js';
export type { Pullable } from './jobs/pull-map.js';
export type { CallMark, RecentSubmission } from './jobs/recent-submissions.js';
export type { Workflows } from './jobs/run-all.js';
export type { ClientTier, LabelledSubmitOptions, RunAllOptions, RunOptions } from './jobs/run.js';
export type { IndexedJobState } from './jobs/run-all.js';
export type { ConnectionState } from './socket/connection-state.js';
export type { RecorderContext, SocketRecorder, SocketTape } from './socket/socket-recorder.js';
export type { SubmissionIds } from './dialects/dialect.js';
export type { Dialect } from './dialects/dialects.js';
export type { DecodeFrameOptions } from './protocol/frames/decode-frame.js';
export type {
  DownloadOptions,
  DownloadSource,
  DownloadState,
  JobOfSource,
  JobOutputs,
  SavedFile,
} from './files/download-state.js';
// eslint-disable-next-line @typescript-eslint/no-deprecated -- public for one more minor version
export type { Event, History, Text } from './deprecated.js';
export type { EventFrame, Frame, Malformed, Preview, TextFrame, Unknown } from './protocol/frames/frame.js';
export type { EventData, EventType, ExecInfo, ProgressStateNode } from './protocol/event-data.js';
export type { Job } from './jobs/job-handle.js';
export type { FollowOptions } from './jobs/follow.js';
export type { JobEvent } from './state/step-job-state.js';
export type { JobFailure } from './state/failure.js';
export type { JobPhase, TerminalPhase } from './state/job-state.js';
export type { InitialJobStateOptions } from './state/initial-job-state.js';
export type { JobStatesOptions } from './operators/job-states.js';
export type { JobState, NodeState } from './state/job-state.js';
export type { LatestOptions } from './operators/latest.js';
export type { NodeErrorEntry, NodeErrors, NodeProblem } from './state/node-errors.js';
export type { AssetRef, FileRef, UploadedFile } from './protocol/file-ref.js';
export type { NodeOutputs, Outputs } from './state/outputs.js';
export type { OutputFile, OutputFilesOptions } from './state/output-files.js';
export type { OutputKind } from './state/output-files.js';
export type { OverflowPolicy } from './interop/bounded-queue.js';
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
} from './platform/platform.js';
export type { HeaderValues } from './http/own-headers.js';
export type { HostClass } from './platform/host-class.js';
export type { WebSocketConstructor, WebSocketLike } from './platform/web-socket.js';
export type { Progress, ProgressOptions } from './operators/progress.js';
export type {
  Retry,
  ServiceError,
  ServiceErrorDetails,
  ServiceErrorFields,
  ServiceErrorOf,
  ServiceErrorTag,
} from './errors/errors.js';
export type { InputTarget, InvalidTarget, NodeTarget } from './workflow/edit/target.js';
export type { SetInputArguments } from './workflow/edit/set-input.js';
export type { ServiceErrorInit } from './errors/service-error.js';
export type { Store } from './interop/to-store.js';
export type { TapTraceOptions } from './operators/tap-trace.js';
export type { UntilTerminalOptions } from './operators/until-terminal.js';
export type { InputProblem, Problem } from './protocol/problem.js';
export type { ValidateMode } from './jobs/validation.js';
export type { AssetInput } from './workflow/file-input.js';
export type { Workflow, WorkflowNode } from './protocol/workflow.js';
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
  RecordOptions,
  ResumePoint,
  Rest,
  Submission,
  SubmitOptions,
  UploadOptions,
  UploadSource,
  User,
  ViewOptions,
} from './http/rest.js';
