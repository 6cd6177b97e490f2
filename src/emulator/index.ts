export type {
  CutHow,
  EventFault,
  EventMatch,
  Fault,
  HttpDeed,
  HttpFault,
  HttpPhase,
  JobFault,
  Occurrence,
  PaceDeed,
  RestFault,
  SocketFault,
  SocketProgress,
  StorageFault,
} from './faults/fault.js';
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
export { startEmulator } from './start-emulator.js';
