import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { bundleTests, testsByModule } from './bundle-tests.js';
import { root, type Target, targets } from './config.js';
import { withMutant } from './mutant.js';
import { mutantsOf } from './mutants-of.js';
import { Players } from './players.js';
import { type ModuleReport, namesOf, writeSurvivors } from './survivors.js';

const leastKilled = 0.85;

/** Puts each mutant of a module in, alone, and plays the tests until one fails. */
const judge = async ({ module, tests }: Target, players: Players): Promise<ModuleReport> => {
  const began = performance.now();
  const source = readFileSync(join(root, module), 'utf8');
  const mutants = mutantsOf(source, module);
  if (mutants.length === 0) return { module, mutants: 0, survivors: [] };
  const names = namesOf(source, mutants);
  const bundle = await bundleTests(module, tests);
  try {
    const asIs = await players.play({ code: await bundle.build(source), files: tests }, () => 120_000);
    if (asIs === undefined || asIs.failed !== undefined)
      throw new Error(`Without any mutant of ${module} fails: ${asIs?.failed ?? 'no answer came'}`);
    const { ms } = asIs;
    // Without any test each mutant survives.
    const others = tests.slice(1).toSorted((one, other) => (ms[one] ?? 0) - (ms[other] ?? 0));
    const files = [...tests.slice(0, 1), ...others];
    const withinMs = (file: string): number => 1_500 + 6 * (ms[file] ?? 0);
    const survivors: string[] = [];
    let late = 0;
    for (const [at, mutant] of mutants.entries()) {
      const code = await bundle.build(withMutant(source, mutant));
      const played = await players.play({ code, files }, withinMs);
      if (played === undefined) late += 1;
      else if (played.failed === undefined) {
        survivors.push(names[at]!);
        process.stdout.write(`  ${module}:${mutant.line} ${names[at]!}\n`);
      }
    }
    const count = mutants.length;
    const killed = count - survivors.length;
    process.stdout.write(
      `${module}: ${killed} of ${count} (${percent(killed, count)}), ${late} by time, ${secondsSince(began)} s\n`,
    );
    return { module, mutants: count, survivors };
  } finally {
    await bundle.dispose();
  }
};

const percent = (killed: number, all: number): string =>
  `${((100 * killed) / Math.max(1, all)).toFixed(1)} %`;

const main = async (prefixes: readonly string[]): Promise<void> => {
  const began = performance.now();
  const chosen = targets(prefixes);
  const related = await testsByModule([...new Set(chosen.flatMap(({ tests }) => tests))]);
  const reports: ModuleReport[] = [];
  const missing: string[] = [];
  let isWritten: Promise<unknown> = Promise.resolve();
  const left = chosen.values();
  const judgeOthers = async (): Promise<void> => {
    const players = new Players();
    for (const { module, tests } of left) {
      const loading = new Set(related(module));
      const report = await judge({ module, tests: tests.filter((test) => loading.has(test)) }, players);
      if (report.mutants === 0) continue;
      reports.push(report);
      isWritten = isWritten.then(async () => missing.push(...(await writeSurvivors([report]))));
    }
    players.end();
  };
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), chosen.length) }, judgeOthers));
  await isWritten;
  const all = reports.reduce((sum, { mutants }) => sum + mutants, 0);
  const killed = all - reports.reduce((sum, { survivors }) => sum + survivors.length, 0);
  const seconds = secondsSince(began);
  process.stdout.write(`${killed} of ${all} mutants killed (${percent(killed, all)}), ${seconds} s\n`);
  for (const name of missing) process.stdout.write(`no reason in test/mutation/survivors.md: ${name}\n`);
  const short = reports.filter(
    ({ mutants, survivors }) => mutants - survivors.length < leastKilled * mutants,
  );
  for (const { module } of short) process.stdout.write(`below ${percent(leastKilled, 1)}: ${module}\n`);
  if (short.length > 0 || missing.length > 0) process.exitCode = 1;
};

const secondsSince = (began: number): string => ((performance.now() - began) / 1000).toFixed(0);

await main(process.argv.slice(2));
