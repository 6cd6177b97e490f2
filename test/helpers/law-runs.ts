import fc from 'fast-check';
import { runs } from './runs.js';

/**
 * Laws draw the same values in each run, so that a red run comes from the change under test. `PROMPTWIRE_SEED=7` draws others, and
 * `PROMPTWIRE_SEED=any` new ones each time, as a search for faults wants them.
 */
const given = process.env['PROMPTWIRE_SEED'] ?? '20261126';

fc.configureGlobal({
  // Of a law that names no number.
  numRuns: runs(100),
  ...(given === 'any' ? {} : { seed: Number(given) }),
});
