import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bundleTests, codeOf } from './bundle-tests.js';
import { ChooseTests } from './choose-tests.js';
import { root, type Target, targets } from './config.js';
import { functionsOf } from './functions-of.js';
import { withMutant } from './mutant.js';
import { mutantsOf } from './mutants-of.js';
import type { Played, Stage } from './player.js';
import { Players } from './players.js';
import { sampleOf } from './sample-of.js';
import { type ModuleReport, namesOf, writeSurvivors } from './survivors.js';

const leastKilled = 0.85;
const sourceOf = (module: string): string => readFileSync(join(root, module), 'utf8');

interface Options {
  /** How many mutants of each module are played at most. */
  readonly sample: number;
  /** How many processes play at once. */
  readonly processes: number;
}

/** Puts each mutant of a module in, or each of a sample, alone, and plays the tests that reach it until one fails. */
const judge = async (
  module: string,
  choose: ChooseTests,
  players: Players,
  { sample }: Options,
): Promise<ModuleReport> => {
  const began = performance.now();
  const source = sourceOf(module);
  const all = mutantsOf(source, module);
  const allNames = namesOf(source, all);
  const played = sampleOf([...all.keys()], sample, module);
  const mutants = played.map((at) => all[at]!);
  const names = played.map((at) => allNames[at]!);
  const functions = functionsOf(source, module);
  const survivors: string[] = [];
  let late = 0;
  for (const [at, mutant] of mutants.entries()) {
    const files = choose.for(module, functions.around(mutant.start, mutant.end));
    const code = await codeOf(module, withMutant(source, mutant));
    const msOf = new Map(
      files.map(({ file, testMs }) => [file, Object.values(testMs).reduce((sum, ms) => sum + ms, 0)]),
    );
    const answer = await players.play(
      { changed: { [module]: code }, files },
      (file) => 3_000 + 6 * (msOf.get(file) ?? 0),
    );
    if (answer === undefined) {
      late += 1;
    } else if (answer.failed === undefined) {
      survivors.push(names[at]!);
      process.stdout.write(
        `  ${module}:${mutant.line} ${files.length === 0 ? '(unreached) ' : ''}${names[at]!}\n`,
      );
    } else if (answer.failedFile !== undefined) {
      choose.found(answer.failedFile);
    }
  }
  const count = mutants.length;
  const killed = count - survivors.length;
  process.stdout.write(
    `${module}: ${killed} of ${count} (${percent(killed, count)}), ${late} by time, ${secondsSince(began)} s\n`,
  );
  return {
    module,
    mutants: count,
    of: all.length,
    survivors,
    left: allNames.filter((name) => !names.includes(name)),
  };
};

/** What runs in which test of a group, without any mutant. */
const measured = async ({ modules, tests }: Target, players: readonly Players[]): Promise<Played['ran']> => {
  const changed: Record<string, string> = {};
  for (const module of modules)
    changed[module] = await codeOf(module, functionsOf(sourceOf(module), module).counted);
  const played = await Promise.all(
    players.map(async (one, share) => {
      const ran: Record<string, Played['ran'][string]> = {};
      // Each file by itself: a module is loaded once in a play, and each file that loads it may find a mutant of its constants.
      for (const file of tests.filter((_, at) => at % players.length === share)) {
        const asIs = await one.play({ changed, files: [{ file, testMs: {} }] }, () => 240_000);
        if (asIs === undefined || asIs.failed !== undefined)
          throw new Error(`Without any mutant fails: ${file} ${asIs?.failed ?? 'no answer came'}`);
        Object.assign(ran, asIs.ran);
      }
      return ran;
    }),
  );
  return Object.assign({}, ...played) as Played['ran'];
};

/** Judges the modules of a group, as many at a time as there are processes. */
const judgeGroup = async (
  target: Target,
  options: Options,
  onReport: (report: ModuleReport) => void,
): Promise<void> => {
  const modules: Record<string, string> = {};
  for (const module of target.modules) modules[module] = await codeOf(module, sourceOf(module));
  const stage: Stage = { bundle: await bundleTests(target.modules, target.tests), modules };
  const players = Array.from({ length: options.processes }, () => new Players(stage));
  try {
    const ran = await measured(target, players);
    const left = target.modules.values();
    await Promise.all(
      players.map(async (one) => {
        for (const module of left) {
          const report = await judge(module, new ChooseTests(ran), one, options);
          if (report.mutants > 0) onReport(report);
        }
      }),
    );
  } finally {
    for (const one of players) one.end();
  }
};

const percent = (killed: number, all: number): string =>
  `${((100 * killed) / Math.max(1, all)).toFixed(1)} %`;

const main = async (prefixes: readonly string[], options: Options): Promise<void> => {
  const began = performance.now();
  const reports: ModuleReport[] = [];
  const missing: string[] = [];
  let isWritten: Promise<unknown> = Promise.resolve();
  for (const target of targets(prefixes))
    await judgeGroup(target, options, (report) => {
      reports.push(report);
      isWritten = isWritten.then(async () => missing.push(...(await writeSurvivors([report]))));
    });
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

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { sample: { type: 'string' }, processes: { type: 'string' } },
});
await main(positionals, {
  sample: Number(values.sample ?? Infinity),
  processes: Number(values.processes ?? availableParallelism()),
});
