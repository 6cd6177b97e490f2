// The entry `promptwire/testing/msw`: a service that MSW plays in a page, a story or a test. MSW is an optional peer.
export {
  mswService,
  type MswService,
  type MswServiceOptions,
  promptwireHandlers,
} from './testing/msw/msw-service.js';

// The types of its options and members, which `promptwire/testing` has as well.
export type { FailureFields } from './testing/job-frames.js';
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
