// The public surface that every platform shares: values first, then types, each in the order of the alphabet.
export { abortable } from './interop/abortable.js';
export { collectOutputs } from './operators/collect-outputs.js';
export { decodeFrame } from './protocol/frames/decode-frame.js';
export { endsJob } from './protocol/frames/ends-job.js';
export { forPrompt } from './operators/for-prompt.js';
export { fromSignal } from './interop/from-signal.js';
export { fromTaskEither } from './interop/from-task-either.js';
export { initialJobState } from './protocol/state/initial-job-state.js';
export { isServiceError, serviceError } from './protocol/errors/service-error.js';
export { safeFileName } from './protocol/names/safe-file-name.js';
export { isTerminal } from './protocol/state/job-phase.js';
export { jobStates } from './operators/job-states.js';
export { latest } from './operators/latest.js';
export { mediaTypeOfName, sniffMediaType } from './protocol/outputs/media-type.js';
export { mergeOutputs } from './protocol/outputs/merge-outputs.js';
export { outputFiles } from './protocol/outputs/output-files.js';
export { outputKind } from './protocol/outputs/output-kind.js';
export { peekText } from './protocol/frames/peek-frame.js';
export { phaseOfStatus } from './protocol/state/phase-of-status.js';
export { previews } from './operators/previews.js';
export { progress } from './operators/progress.js';
export { progressText } from './operators/progress-text.js';
export { readWorkflow } from './protocol/workflow/read-workflow.js';
export { redactor, sampleOf } from './protocol/errors/redact.js';
export { render } from './protocol/errors/render.js';
export { setInput } from './protocol/workflow/set-input.js';
export { stepJobState } from './protocol/state/step-job-state.js';
export { tapTrace } from './operators/tap-trace.js';
export { toAsyncIterable } from './interop/to-async-iterable.js';
export { toPromise } from './interop/to-promise.js';
export { toReadableStream } from './interop/to-readable-stream.js';
export { toSignal } from './interop/to-signal.js';
export { toStore } from './interop/to-store.js';
export { toTaskEither } from './interop/to-task-either.js';
export { untilTerminal } from './operators/until-terminal.js';

export type { AbortableOptions } from './interop/abortable.js';
export type { AsyncIterableOptions } from './interop/to-async-iterable.js';
export type { AsyncValues } from './interop/async-values.js';
export type { Client } from './client-types.js';
export type { ClientOptions, Connection } from './client-options.js';
export type { RequestBudgetOptions } from './job/budget.js';
export type { FrameLimits } from './job/frame-memory.js';
export type { ClientStop } from './http/client-stop.js';
export type { Pullable } from './job/pull-map.js';
export type { CallMark, RecentSubmission } from './job/recent-submissions.js';
export type { Workflows } from './job/run-all.js';
export type { ClientTier, LabelledSubmitOptions, RunAllOptions, RunOptions } from './job/run-options.js';
export type { IndexedJobState } from './job/indexed-job-state.js';
export type { ConnectionState } from './protocol/connection-state.js';
export type { Dialect } from './protocol/dialect.js';
export type { DecodeFrameOptions } from './protocol/frames/decode-frame-options.js';
export type {
  DownloadOptions,
  DownloadSource,
  DownloadState,
  JobOfSource,
  JobOutputs,
  SavedFile,
} from './http/download-state.js';
export type { Event, Frame, Malformed, Preview, Text, Unknown } from './protocol/frames/frame.js';
export type { EventData, EventType } from './protocol/events/event-data.js';
export type { Job } from './job/job.js';
export type { JobEvent } from './protocol/state/job-event.js';
export type { JobFailure } from './protocol/state/job-failure.js';
export type { JobPhase, TerminalPhase } from './protocol/state/job-phase.js';
export type { InitialJobStateOptions } from './protocol/state/initial-job-state.js';
export type { JobStatesOptions } from './operators/job-states.js';
export type { JobState, NodeState } from './protocol/state/job-state.js';
export type { LatestOptions } from './operators/latest.js';
export type { NodeErrorEntry, NodeErrors, NodeProblem } from './protocol/answers/node-errors.js';
export type { NodeOutputs, Outputs } from './protocol/outputs/outputs.js';
export type { OutputFile, OutputFilesOptions } from './protocol/outputs/output-files.js';
export type { OutputKind } from './protocol/outputs/output-kind.js';
export type { PeekedText } from './protocol/frames/peek-frame.js';
export type { OverflowPolicy } from './interop/bounded-queue.js';
export type { Progress, ProgressOptions } from './operators/progress.js';
export type {
  Retry,
  ServiceError,
  ServiceErrorDetails,
  ServiceErrorFields,
  ServiceErrorOf,
  ServiceErrorTag,
} from './protocol/errors/errors.js';
export type { StatusPhase } from './protocol/state/phase-of-status.js';
export type { Store } from './interop/to-store.js';
export type { TapTraceOptions } from './operators/tap-trace.js';
export type { UntilTerminalOptions } from './operators/until-terminal.js';
export type { Workflow, WorkflowNode } from './protocol/workflow/workflow.js';
export type * from './http/rest.js';
