import { below } from '../keys.js';
import { checkAssets } from './check-assets.js';
import { checkEvents } from './check-events.js';
import { checkFormat } from './format.js';
import { checkJobs } from './check-jobs.js';
import { repairsOf, valuesOf } from './repairs.js';
import { type Level, viewOf, writeTo } from '../store.js';

/** What a check looks at, whether it repairs, and where it tells what it finds. */
export interface CheckOptions {
  /** In milliseconds since 1970. */
  readonly now: number;
  /** Whether every value is read; otherwise what takes no longer with more events. */
  readonly all: boolean;
  /** Whether what is found is repaired. */
  readonly repair: boolean;
  /** Gets to know what is wrong. */
  readonly tell: (message: string) => void;
}

/**
 * Checks that a store agrees with itself, and repairs what follows from something else (docs/stores.md).
 *
 * Values that can't be read are set aside, so that they cost nothing else. Throws `InvalidConfig` for a store of another format.
 */
export const checkStore = async (level: Level, { now, all, repair, tell }: CheckOptions): Promise<void> => {
  const view = viewOf(level, () => undefined);
  const repairs = repairsOf((changes) => (repair ? writeTo(level, changes, true) : Promise.resolve()), tell);
  await checkFormat(view, repairs);
  await checkJobs(view, repairs, now, all);
  await checkEvents(view, repairs, all);
  await checkAssets(view, repairs);
  for (const table of ['webhook', 'progress', 'rest'] as const)
    await readAll(valuesOf(view, repairs, below(table)));
  await repairs.flush();
};

const readAll = async (values: AsyncGenerator): Promise<void> => {
  while ((await values.next()).done !== true);
};
