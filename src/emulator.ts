export type { EmulatorClock, VirtualClock } from './emulator/clock.js';
export type {
  AccountFault,
  Billing,
  CutHow,
  EngineFault,
  EventFault,
  EventMatch,
  Fault,
  ForbiddenCode,
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
} from './emulator/fault.js';
// eslint-disable-next-line @typescript-eslint/no-deprecated -- the former names, for one minor version
export type { HttpDeed, InterruptionDeed, PaceDeed } from './emulator/fault.js';
export { readFaults, type ReadFaults } from './emulator/faults/read-faults.js';
export type {
  AppliedFault,
  Ledger,
  LedgerJob,
  LedgerLoad,
  LedgerSocket,
  LedgerStream,
  RecordedRequest,
} from './emulator/ledger.js';
export {
  textToImageWorkflow,
  type TextToImageOptions,
  type WorkflowNode,
} from './emulator/engine/text-to-image.js';
export type { Engine } from './emulator/local/engine.js';
export type { Machine, MachineModel } from './emulator/local/machine.js';
export { InvalidState } from './emulator/state/invalid-state.js';
export type { EngineMemory, EngineOutage } from './emulator/engine-outage.js';
export { interfaceRows } from './emulator/interface-rows.js';
export type {
  Dialect,
  Emulator,
  EmulatorOptions,
  InterfaceRow,
  ScriptedAnswer,
  Tier,
} from './emulator/options.js';
export type { Profile, Switches } from './emulator/switches.js';
export type { V2Switches } from './emulator/v2/switches.js';
export { virtualClock } from './emulator/clock.js';
export { startEmulator } from './emulator/start-emulator.js';
