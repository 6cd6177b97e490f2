import { below } from '../keys.js';
import { get } from '../view.js';
import type { JobHead } from '../event-values.js';
import { totalKey } from '../job-values.js';
import { checkAssets } from './check-assets.js';
import { checkEvents } from './check-events.js';
import { checkFormat } from './format.js';
import { checkJobs } from './check-jobs.js';
import { checkTemplates } from './check-templates.js';
import { repairsOf, valuesOf } from './repairs.js';
import { type Level, viewOf, writeTo } from '../store.js';

/** What a check looks at, whether it repairs, and where it tells what it finds. */
export interface CheckOptions {
  /** In milliseconds since 1970. */
  readonly now: number;
  /** Whether every value is read; otherwise only what takes no longer with more events. */
  readonly all: boolean;
  /** Whether what is found is repaired. */
  readonly repair: boolean;
  /** Gets a sentence for each thing that is wrong. */
  readonly tell: (message: string) => void;
}

/**
 * Checks that a store agrees with itself, and repairs what follows from something else (docs/stores.md).
 *
 * Values that can't be read are set aside, so that they cost nothing else. What was repaired is checked again, as other values may follow from
 * it. Resolves with the logs that belong to no job, which `forgetOrphans` tells of. Throws `InvalidConfig` for a store of another format.
 */
export const checkStore = async (level: Level, options: CheckOptions): Promise<readonly JobHead[]> => {
  for (let round = 1; ; round += 1) {
    const { found, orphans } = await checkOnce(level, options);
    if (found === 0 || !options.repair || round === maxRounds) return orphans;
  }
};

/** A store that never agrees with itself still starts. */
const maxRounds = 5;

/** Resolves with how much was wrong. */
const checkOnce = async (
  level: Level,
  { now, all, repair, tell }: CheckOptions,
): Promise<{ readonly found: number; readonly orphans: readonly JobHead[] }> => {
  let found = 0;
  const count = (message: string): void => {
    found += 1;
    tell(message);
  };
  const view = viewOf(level, () => undefined);
  const repairs = repairsOf((changes) => (repair ? writeTo(level, changes, true) : Promise.resolve()), count);
  await checkFormat(view, repairs);
  const jobs = await checkJobs(view, repairs, now, all);
  const logs = await checkEvents(view, repairs, all);
  await checkAssets(view, repairs);
  await checkTemplates(view, repairs, all);
  for (const table of ['webhook', 'progress', 'rest'] as const)
    await readAll(valuesOf(view, repairs, below(table)));
  await repairs.flush();
  // A store that keeps events alone has had no job.
  const keepsJobs = jobs.length > 0 || (await get(view, totalKey)) !== undefined;
  const ids = new Set(jobs.map(({ record }) => record.id));
  return { found, orphans: keepsJobs ? logs.filter(({ jobId }) => !ids.has(jobId)) : [] };
};

const readAll = async (values: AsyncGenerator): Promise<void> => {
  while ((await values.next()).done !== true);
};
