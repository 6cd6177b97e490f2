// The entry `promptwire/testing`: what a test of a program with a client needs, on every platform.
export { encodeFrame } from './encode-frame.js';
export { framesOfMarbles } from './frames-of-marbles.js';
export { imageFile, jobFrames } from './job-frames.js';
export { jobFrom } from './recording/job-from.js';
export { phaseTimeline } from './phase-timeline.js';
export { recordFrames } from './recording/record-frames.js';
export { replayFrames } from './recording/replay-frames.js';
export { scriptedService } from './service/scripted-service.js';
export { virtualClock } from './virtual-clock.js';

export type { EncodableFrame } from './encode-frame.js';
export type { FramesOfMarblesOptions } from './frames-of-marbles.js';
export type { FailureFields, JobFrames } from './job-frames.js';
export type { JobFromOptions } from './recording/job-from.js';
export type { PhaseTimeline } from './phase-timeline.js';
export type { FrameRecorder, RecordFramesOptions, RecordingEnd } from './recording/record-frames.js';
export type { RecordingSource, ReplayFramesOptions } from './recording/replay-frames.js';
export type {
  RequestFault,
  RequestMatch,
  ServiceFault,
  ServiceRoute,
  SocketFault,
} from './service/faults.js';
export type { JobScript, JobStep } from './service/job-script.js';
export type { JobScripts, ScriptedJob } from './service/scripted-jobs.js';
export type { ScriptedRequest } from './service/scripted-requests.js';
export type { ScriptedService, ScriptedServiceOptions } from './service/scripted-service.js';
export type { VirtualClock } from './virtual-clock.js';

// The types of `promptwire` that these name.
export type { Dialect } from '../dialects/dialects.js';
export type { EventData, EventType, ExecInfo, ProgressStateNode } from '../protocol/event-data.js';
export type { EventFrame, Frame, Malformed, Preview, TextFrame, Unknown } from '../protocol/frames/frame.js';
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
} from '../platform/platform.js';
export type { HostClass } from '../platform/host-class.js';
export type { Job } from '../jobs/job-handle.js';
export type { CallOptions } from '../http/rest.js';
export type { RecorderContext, SocketRecorder, SocketTape } from '../socket/socket-recorder.js';
export type { JobFailure } from '../state/failure.js';
export type { JobPhase, JobState, NodeState, TerminalPhase } from '../state/job-state.js';
export type { NodeErrorEntry, NodeErrors, NodeProblem } from '../state/node-errors.js';
export type { NodeOutputs, Outputs } from '../state/outputs.js';
export type {
  Retry,
  ServiceError,
  ServiceErrorDetails,
  ServiceErrorFields,
  ServiceErrorTag,
} from '../errors/errors.js';
export type { Workflow, WorkflowNode } from '../protocol/workflow.js';
export type { Problem } from '../workflow/problem.js';
