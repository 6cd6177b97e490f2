import type { Schedule } from '../simulation/schedule.js';

/** The command that plays a schedule again: its seed, and what shrinking left of it. */
export const replayLine = (id: string, { seed, dialect, jobs, faults, acts }: Schedule): string => {
  const list = (items: readonly { readonly index: number }[]): string =>
    items.length === 0 ? 'none' : items.map(({ index }) => index).join(',');
  return [
    `npm run replay -- ${id} --seed ${seed}`,
    ...(dialect === undefined ? [] : [`--dialect ${dialect}`]),
    `--jobs ${list(jobs)}`,
    `--faults ${list(faults)}`,
    ...(acts === undefined ? [] : [`--acts ${list(acts)}`]),
  ].join(' ');
};
