export type { EmulatorClock, VirtualClock } from './clock.js';
export type {
  AccountFault,
  Billing,
  CutHow,
  EventFault,
  EventMatch,
  Fault,
  HttpAction,
  HttpFault,
  HttpPhase,
  IllegalFrame,
  InterruptionAction,
  JobFault,
  Occurrence,
  PaceAction,
  RestFault,
  SocketFault,
  SocketProgress,
  StorageFault,
} from './faults/fault.js';
// eslint-disable-next-line @typescript-eslint/no-deprecated -- the former names, for one minor version
export type { HttpDeed, InterruptionDeed, PaceDeed } from './faults/fault.js';
export { readFaults, type ReadFaults } from './faults/read-faults.js';
export type {
  AppliedFault,
  Ledger,
  LedgerJob,
  LedgerSocket,
  LedgerStream,
  RecordedRequest,
} from './ledger.js';
export { textToImageWorkflow, type TextToImageOptions, type WorkflowNode } from './engine/text-to-image.js';
export type { Engine } from './local/engine-facts.js';
export { interfaceRows } from './interface-rows.js';
export type {
  Dialect,
  Emulator,
  EmulatorOptions,
  InterfaceRow,
  Profile,
  ScriptedAnswer,
  Switches,
  Tier,
} from './options.js';
export type { V2Switches } from './v2/switches.js';
export { virtualClock } from './clock.js';
export { startEmulator } from './start-emulator.js';
