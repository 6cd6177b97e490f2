export { textToImageWorkflow, type TextToImageOptions } from './engine/text-to-image.js';
export { interfaceRows } from './interface-rows.js';
export type {
  Dialect,
  Emulator,
  EmulatorOptions,
  InterfaceRow,
  Profile,
  RecordedRequest,
  ScriptedAnswer,
  Switches,
  Tier,
} from './options.js';
export { startEmulator } from './start-emulator.js';
