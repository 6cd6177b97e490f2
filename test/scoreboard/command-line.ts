import { inParallel } from '../helpers/in-parallel.js';
import { buildCommand } from './command/build-command.js';
import type { CommandCase } from './command/command-case.js';
import { killCases } from './command/kill-cases.js';
import { pipeCases } from './command/pipe-cases.js';
import { signalCases } from './command/signal-cases.js';
import { terminalCases } from './command/terminal-cases.js';
import type { SourceFile } from '../mutants/plant.js';
import type { Figure, Range, Tally } from './figure.js';

/** Programs of one process of the board that run at once. */
const atOnce = 2;

const kinds = {
  signals: signalCases,
  'readers and pipes': pipeCases,
  'kills and reruns': killCases,
  terminals: terminalCases,
} as const;

/** All cases, the kinds mixed, so that a part of them has some of each. */
const allCases = (): readonly (readonly [keyof typeof kinds, CommandCase])[] =>
  (Object.keys(kinds) as (keyof typeof kinds)[])
    .flatMap((kind) =>
      kinds[kind]().map((one, index, all) => ({ kind, one, place: (index + 0.5) / all.length })),
    )
    .sort((one, other) => one.place - other.place)
    .map(({ kind, one }) => [kind, one] as const);

/** The command as a process of its own. */
export const commandLine: Figure = {
  id: 'command-line',
  what: 'the command in processes of its own: 3 signals × 8 phases × 2 policies, readers that go, no terminal, kills and reruns, terminals',
  target: '0 deviations from the table of exit codes and effects; the terminal as it was found',
  count: allCases().length,
  splits: true,
  mostlyWaits: true,
  run: (range) => playCommands(range),
  shortfalls: ({ counts }, count) => [
    ...(counts['cases'] === count ? [] : [`${counts['cases'] ?? 0} of ${count} cases were run`]),
    ...(counts['terminals'] === 0 ? ['there is no `script` that makes a terminal'] : []),
  ],
};

/** What {@link playCommands} can do otherwise than the board. */
export interface PlayCommandsOptions {
  /** Files of the command that carry a mutant. */
  readonly mutated?: readonly SourceFile[];
  /** Only the cases of these names. */
  readonly only?: RegExp;
}

/** Runs the cases of a range, counted from 1. */
export const playCommands = async (
  { from, count }: Range,
  { mutated, only = /^/u }: PlayCommandsOptions = {},
): Promise<Tally> => {
  const cases = allCases()
    .map(([kind, one], index) => [kind, one, index + 1] as const)
    .filter(([, { name }]) => only.test(name))
    .slice(from - 1, from - 1 + count);
  const counts: Record<string, number> = Object.fromEntries(
    ['cases', ...Object.keys(kinds), 'deviations'].map((name) => [name, 0]),
  );
  const problems: string[] = [];
  const add = (name: string, more: number): number => (counts[name] = (counts[name] ?? 0) + more);
  await using built = await buildCommand(mutated);
  await inParallel(cases, atOnce, async ([kind, { name, run }, number]) => {
    const deviations = await run(built.main).catch((error: unknown) => [String(error)]);
    add('cases', 1);
    add(kind, 1);
    add('deviations', deviations.length);
    problems.push(
      ...deviations.map(
        (deviation) => `${name}: ${deviation}; npm run replay -- command-line --seed ${number}`,
      ),
    );
  });
  return { counts, problems };
};
