export type { AccountFault } from './faults/fault.js';
export type { EmulatorClock } from './clock.js';
export type { Billing } from './faults/fault.js';
export type { EventFault, EventMatch } from './faults/fault.js';
export type { Fault } from './faults/fault.js';
export type { HttpDeed, HttpFault, HttpPhase } from './faults/fault.js';
export type { JobFault } from './faults/fault.js';
export type { Occurrence } from './faults/fault.js';
export type { CutHow, PaceDeed } from './faults/fault.js';
export type { RestFault } from './faults/fault.js';
export type { IllegalFrame, InterruptionDeed, SocketFault, SocketProgress } from './faults/fault.js';
export type { StorageFault } from './faults/fault.js';
export { readFaults, type ReadFaults } from './faults/read-faults.js';
export type { AppliedFault, Ledger, LedgerJob, LedgerSocket } from './ledger/ledger.js';
export type { RecordedRequest } from './ledger/ledger.js';
export { textToImageWorkflow, type TextToImageOptions } from './engine/text-to-image.js';
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
export { virtualClock, type VirtualClock } from './virtual-clock.js';
export { startEmulator } from './start-emulator.js';
