import { parseArgs } from 'node:util';
import { all } from './all.js';
import type { Row } from './row.js';
import { failsCheck } from './report/verdict.js';
import { type Outcome, sectionOf } from './report/section.js';
import { renewResults, writeResults } from './report/write-results.js';

/**
 * `npm run bench` runs all benchmarks and writes results.md and its plots. `npm run bench -- NAME…` runs the named ones
 * and writes nothing; with `--keep` it renews their sections of results.md. What is missed stands in the table; only with `--check` does the process end with 1 for it.
 */
const main = async (): Promise<number> => {
  const { values, positionals: names } = parseArgs({
    allowPositionals: true,
    options: { check: { type: 'boolean', default: false }, keep: { type: 'boolean', default: false } },
  });
  const unknown = names.filter((name) => !all.some((benchmark) => benchmark.name === name));
  if (unknown.length > 0) {
    const known = all.map(({ name }) => name).join(', ');
    console.error(`No benchmark is called ${unknown.join(', ')}; there are: ${known}.`);
    return 2;
  }
  const chosen = names.length === 0 ? all : all.filter(({ name }) => names.includes(name));
  const outcomes: Outcome[] = [];
  for (const benchmark of chosen) {
    const started = performance.now();
    const rows = await benchmark.run().catch(brokenOff);
    const outcome = { benchmark, rows, seconds: (performance.now() - started) / 1000 };
    console.log(`${sectionOf(outcome)}\n(${outcome.seconds.toFixed(0)} s)\n`);
    outcomes.push(outcome);
  }
  if (names.length === 0) await writeResults(outcomes);
  else if (values.keep && !isBroken)
    renewResults(
      outcomes,
      all.map(({ name }) => name),
    );
  const isMissed = outcomes.some(({ rows }) => rows.some(failsCheck));
  return isBroken || (values.check && isMissed) ? 1 : 0;
};

let isBroken = false;

/** The others still have their turn; the process ends with 1. */
const brokenOff = (error: unknown): readonly Row[] => {
  console.error(error);
  isBroken = true;
  return [{ what: 'all of it', unit: '', note: `broke off: ${String(error).split('\n')[0]}` }];
};

process.exitCode = await main();
