import type { Row, Target } from '../row.js';

/** Whether a row reaches its target: `met` or `MISSED`; its note where it has one, nothing where nothing is to be reached. */
export const verdict = (row: Row): string => {
  if (row.note !== undefined) return row.note;
  if (row.target === undefined) return '';
  return reaches(row.ratio ?? row.ours ?? NaN, row.target) ? 'met' : 'MISSED';
};

/** Whether `--check` fails for a row. */
export const failsCheck = (row: Row): boolean => verdict(row) === 'MISSED';

/** A target as it stands in the table. */
export const targetText = (target: Target | undefined): string => {
  if (target === undefined) return '';
  return 'atLeast' in target
    ? `≥ ${target.atLeast.toLocaleString('en-US')}`
    : `≤ ${target.atMost.toLocaleString('en-US')}`;
};

const reaches = (value: number, target: Target): boolean =>
  'atLeast' in target ? value >= target.atLeast : value <= target.atMost;
