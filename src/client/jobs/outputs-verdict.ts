import { elementCount, fileCount, objectCount, unlistedOutputs } from '../../core/state/unlisted-outputs.js';
import type { HistoryRecord } from '../../core/endpoints/history.js';
import { isTerminal } from '../../core/state/job-state.js';
import type { JobDetail } from '../../core/endpoints/job-detail.js';
import { mergeOutputs } from '../../core/state/merge-outputs.js';
import { noOutputs, type Outputs } from '../../core/state/outputs.js';

/** What REST reported of a job that has ended, and since when. */
export interface Reported {
  readonly record: HistoryRecord | undefined;
  readonly detail: JobDetail | undefined;
  /** What both list, see {@link listedOutputs}; default: it is put together anew. */
  readonly listed?: Outputs;
  /** For how long REST has reported the same number of outputs. */
  readonly steadyMs: number;
}

/** What the other sources say of the job. */
export interface Known {
  /** The outputs that any source has reported. */
  readonly outputs: Outputs;
  /** Whether one socket brought all its events, from its start to its end. */
  readonly gapless: boolean;
  /** Whether records of this service appear whole. */
  readonly recordsAppearWhole: boolean;
}

/**
 * `whole`: REST lists all outputs. `uncounted`: so it seems, and the jobs API has not said how many there are. `trails`: more may
 * come. `short`: it lists less than was reported, and no more will come.
 */
export type OutputsVerdict = 'whole' | 'uncounted' | 'trails' | 'short';

/** A record that is final and yet empty, or that does not state its own end, is believed once it has said the same for so long. */
export const steadyAfterMs = 8_000;

/** What REST lists of a job's outputs. */
export const listedOutputs = ({ record, detail }: Pick<Reported, 'record' | 'detail'>): Outputs =>
  mergeOutputs(record?.outputs ?? noOutputs, detail?.outputs ?? noOutputs);

/**
 * Says whether the outputs of a completed job are all there.
 *
 * They are where the record is final, lacks no file that another source reported, and has as many as the jobs API counts. A final
 * record without files is believed at once where records appear whole, and where one socket brought all events of the job and
 * no file among them, unless the jobs API counts some; else once it has stayed so for 8 s.
 */
export const outputsVerdict = (
  reported: Reported,
  { outputs, gapless, recordsAppearWhole }: Known,
): OutputsVerdict => {
  const { detail } = reported;
  const { listed = listedOutputs(reported) } = reported;
  const files = fileCount(listed);
  const isSteady = reported.steadyMs >= steadyAfterMs;
  if (!isFinal(reported, recordsAppearWhole) && !isThinButBelieved(reported, files, gapless)) return 'trails';
  if (fileCount(unlistedOutputs(outputs, listed)) > 0)
    return recordsAppearWhole && isSteady ? 'short' : 'trails';
  if (recordsAppearWhole) return 'whole';
  if (files === 0 && !gapless && !isSteady) return 'trails';
  if (detail?.outputsCount === undefined) return 'uncounted';
  return hasAsManyAs(detail, listed, isSteady) ? 'whole' : 'trails';
};

/** Whether REST lists as many outputs as the jobs API counts. */
const hasAsManyAs = (
  { outputs, outputsCount: counted = 0 }: JobDetail,
  listed: Outputs,
  isSteady: boolean,
): boolean => {
  const files = fileCount(listed);
  // An engine counts cameras and boxes as well: its count and its list stand in one answer, and agree.
  if (files > 0 && objectCount(outputs) === counted) return true;
  // Some services count texts as well.
  return files >= counted || (isSteady && elementCount(listed) >= counted);
};

/** Whether a record that does not say that it is final is taken for it all the same. */
const isThinButBelieved = (
  { record, detail, steadyMs }: Reported,
  files: number,
  gapless: boolean,
): boolean =>
  isThin(record) && (files === 0 ? gapless : steadyMs >= steadyAfterMs || detail?.outputsCount !== undefined);

/** Whether the jobs API says that the job has ended, and lists as many outputs as it counts. */
export const isCounted = (detail: JobDetail | undefined): boolean =>
  isOver(detail) && objectCount(detail?.outputs ?? noOutputs) === detail?.outputsCount;

/** A record of a service that writes it only at the end is final, even without a status of its own. */
const isFinal = ({ record, detail }: Reported, recordsAppearWhole: boolean): boolean =>
  record === undefined
    ? isOver(detail) && (isCounted(detail) || !recordsAppearWhole)
    : record.isFinal || recordsAppearWhole;

const isOver = (detail: JobDetail | undefined): boolean =>
  detail?.outputsCount !== undefined && isTerminal(detail.phase);

/** Some services' records have no status, or only a word for it: such a record does not say whether it is final. */
const isThin = (record: HistoryRecord | undefined): boolean =>
  record !== undefined && (record.phase !== undefined || record.record['status'] === undefined);
