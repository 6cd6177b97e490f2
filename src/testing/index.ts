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
