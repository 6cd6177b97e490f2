import type { Scenario } from './scenario.js';
import { answering } from './scenarios/answering.js';
import { cancelling } from './scenarios/cancelling.js';
import { downloading } from './scenarios/downloading.js';
import { polling } from './scenarios/polling.js';
import { streaming } from './scenarios/streaming.js';
import { submitting } from './scenarios/submitting.js';
import { uploading } from './scenarios/uploading.js';

/** The 52 scenarios, by number. */
export const allScenarios: readonly Scenario[] = [
  ...submitting,
  ...polling,
  ...streaming,
  ...cancelling,
  ...uploading,
  ...downloading,
  ...answering,
];
