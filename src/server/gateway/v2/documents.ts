import type * as t from 'io-ts';
import type {
  v2Asset,
  v2Job,
  v2JobError,
  v2Output,
  v2OutputType,
  v2Progress,
  v2Status,
} from '../contract/v2.js';

/** The words of `Job.status` in API v2; the last four are terminal. */
export type V2JobStatus = t.TypeOf<typeof v2Status>;

/** `Job.progress` of API v2 and the data of its `progress` event: a whole snapshot. */
export type V2Progress = t.TypeOf<typeof v2Progress>;

/** The kinds of an output in API v2. */
export type V2OutputType = t.TypeOf<typeof v2OutputType>;

/** One of `Job.outputs` of API v2 and the data of its `output` event; the id is that of an asset. */
export type V2Output = t.TypeOf<typeof v2Output>;

/** An asset of API v2. */
export type V2Asset = t.TypeOf<typeof v2Asset>;

/** `Job.error` of API v2. */
export type V2JobError = t.TypeOf<typeof v2JobError>;

/** A job of API v2: the answer of submit, get and cancel. */
export type V2Job = t.TypeOf<typeof v2Job>;

/**
 * Where the caller reaches the gateway, without a slash at the end: the origin that the caller used, and the path below which the
 * gateway is mounted. Links are made of it.
 */
export type CallerBase = string;

/** A time as every document has it: UTC with a `Z`, and never beyond the year 9999. */
export const timestamp = (milliseconds: number): string =>
  new Date(Math.max(0, Math.min(milliseconds, endOfTime))).toISOString();

const endOfTime = Date.UTC(9999, 11, 31);
