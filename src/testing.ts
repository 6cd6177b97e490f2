// The entry `promptwire/testing`: what a test of a program with a client needs, on every platform.
export { encodeFrame } from './testing/encode-frame.js';
export { framesOfMarbles } from './testing/frames-of-marbles.js';
export { imageFile, jobFrames } from './testing/job-frames.js';
export { jobFrom } from './testing/recording/job-from.js';
export { examplePicture } from './testing/service/example-picture.js';
export { pacedJobs, type PacedJobsOptions } from './testing/service/paced-jobs.js';
export { phaseTimeline } from './testing/phase-timeline.js';
export { recordFrames } from './testing/recording/record-frames.js';
export { rejectedWorkflow, type RejectedWorkflow } from './testing/service/rejected-workflow.js';
export { replayFrames } from './testing/recording/replay-frames.js';
export { scriptedService } from './testing/service/scripted-service.js';
export { virtualClock } from './testing/virtual-clock.js';

export type { EncodableFrame } from './testing/encode-frame.js';
export type { FramesOfMarblesOptions } from './testing/frames-of-marbles.js';
export type { FailureFields, JobFrames } from './testing/job-frames.js';
export type { JobFromOptions } from './testing/recording/job-from.js';
export type { PhaseTimeline } from './testing/phase-timeline.js';
export type { FrameRecorder, RecordFramesOptions, RecordingEnd } from './testing/recording/record-frames.js';
export type { RecordingSource, ReplayFramesOptions } from './testing/recording/replay-frames.js';
export type {
  RequestFault,
  RequestMatch,
  ServiceFault,
  ServiceRoute,
  SocketFault,
} from './testing/service/faults.js';
export type { JobScript, JobStep } from './testing/service/job-script.js';
export type { JobScripts, ScriptedJob } from './testing/service/scripted-jobs.js';
export type { ScriptedRequest } from './testing/service/scripted-requests.js';
export type { ScriptedService, ScriptedServiceOptions } from './testing/service/memory-service.js';
export type { VirtualClock } from './testing/virtual-clock.js';
