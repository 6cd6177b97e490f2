import type { Profile, Switches } from './switches.js';
import { v2Defaults } from './v2/switches.js';

const MEBIBYTE = 1024 * 1024;

const documented: Switches = {
  ...v2Defaults,
  statusWords: 'five',
  history: 'flat',
  statusEvent: 'flat',
  executingEnd: 'null',
  inactiveSubscription: 429,
  queueDelete: 'both',
  freeTier: 'runs',
  storageHeaders: 'refuses',
  validation: 'at once',
  badToken: 'refuse',
  missingNode: 'invalid_prompt',
  extraDataIs: 'listed',
  historyLagMs: 0,
  recordDelayMs: 0,
  signedUrlMs: 3_600_000,
  fileNames: 'hash',
  videoKey: 'video',
  modelOutputs: 'text',
  fileMetadata: false,
  stillPreviews: false,
  assets: false,
  openWork: false,
  jobsApi: 'one',
  nodeReplacements: false,
  partnerNodes: 'unstated',
  userModels: false,
  promptText: false,
  queueLimit: 100,
  maxUploadBytes: 50 * MEBIBYTE,
  maxPromptBytes: 16 * MEBIBYTE,
  maxMessageBytes: 4 * MEBIBYTE,
};

const observed: Switches = {
  ...documented,
  statusWords: 'raw',
  history: 'keyed',
  statusEvent: 'nested',
  inactiveSubscription: 402,
  freeTier: '403',
  storageHeaders: 'refuses',
  validation: 'at pick-up',
  missingNode: 'missing_node_type',
  promptText: true,
};

/** The switches of each {@link Profile}: as documented, as observed in 2026, and as the service's sources read in November. */
export const profiles: Readonly<Record<Profile, Switches>> = {
  interface: documented,
  '2026': observed,
  '2026-11': {
    ...observed,
    ...{ modelOutputs: 'listed', fileMetadata: true, stillPreviews: true, jobsApi: 'all' },
    ...{ nodeReplacements: true, userModels: true },
  },
};

/** The switches of a local server. */
export const localSwitches: Switches = {
  ...documented,
  statusEvent: 'nested',
  fileNames: 'counter',
  videoKey: 'images',
  queueDelete: 'pending',
  recordDelayMs: 'random',
  queueLimit: Infinity,
  maxUploadBytes: 100 * MEBIBYTE,
  maxPromptBytes: 100 * MEBIBYTE,
};

const v2Documented: Switches = {
  ...documented,
  fileNames: 'counter',
  maxUploadBytes: 100 * MEBIBYTE,
};

/** The switches of a service that speaks API v2, by profile: the newest has labels, lists and logs. */
export const v2Profiles: Readonly<Record<Profile, Switches>> = {
  interface: v2Documented,
  '2026': v2Documented,
  '2026-11': { ...v2Documented, jobList: true, metadata: true, logs: true, fileMetadata: true },
};
