import { accountCases } from './account-cases.js';
import { assetCases } from './asset-cases.js';
import { eventCases } from './event-cases.js';
import { jobCases } from './job-cases.js';
import { submissionCases } from './submission-cases.js';
import type { V2Case } from './v2-case.js';

/** Every case of chapter 12, in the order of its sections. */
export const allV2Cases: readonly V2Case[] = [
  ...accountCases,
  ...submissionCases,
  ...jobCases,
  ...eventCases,
  ...assetCases,
];
