export type { AccountFault } from './faults/account-fault.js';
export type { EmulatorClock } from './clock.js';
export type { Billing } from './billing.js';
export type { EventFault, EventMatch } from './faults/event-fault.js';
export type { Fault } from './faults/fault.js';
export type { HttpDeed, HttpFault, HttpPhase } from './faults/http-fault.js';
export type { JobFault } from './faults/job-fault.js';
export type { Occurrence } from './faults/occurrence.js';
export type { CutHow, PaceDeed } from './faults/pace-deed.js';
export type { RestFault } from './faults/rest-fault.js';
export type { IllegalFrame, InterruptionDeed, SocketFault, SocketProgress } from './faults/socket-fault.js';
export type { StorageFault } from './faults/storage-fault.js';
export { readFaults, type ReadFaults } from './faults/read-faults.js';
export type { AppliedFault, Ledger, LedgerJob, LedgerSocket } from './ledger/ledger.js';
export type { RecordedRequest } from './ledger/recorded-request.js';
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
