import type { Figure, Range, Tally } from './figure.js';
import type { HostilePlant } from './sizes/hostile-plants.js';
import { askProgram } from './sizes/processes.js';
import { type SizeAnswer, type SizeCase, sizeCases } from './sizes/size-cases.js';

const most = { mebibytes: 96, pauseMs: 150 };
const names = Object.keys(sizeCases) as readonly SizeCase[];

/** Far too much of everything, each in a fresh process, from a server in another one. */
export const hostileSizes: Figure = {
  id: 'hostile-sizes',
  what: `hostile sizes: ${names.join(', ')} (real sockets)`,
  target:
    'RSS ≤ +96 MiB; event loop pause ≤ 150 ms; every job settles as it did in truth; JSON above 8 MiB is refused',
  count: names.length,
  splits: false,
  isAlone: true,
  run: (range) => meetSizes(range),
  shortfalls: ({ cells = {} }) =>
    Object.entries(cells).flatMap(([cell, value]) => {
      const limit = cell.endsWith('MiB of RSS') ? most.mebibytes : most.pauseMs;
      return value <= limit ? [] : [`${cell}: ${value.toFixed(0)}, above ${limit}`];
    }),
};

/** Meets a range of the cases, one after the other; its cells say what each of them took. */
export const meetSizes = async ({ from, count }: Range, plant: HostilePlant | '' = ''): Promise<Tally> => {
  const counts = { cases: 0, strikes: 0, 'most MiB of RSS': 0, 'longest ms of pause': 0 };
  const cells: Record<string, number> = {};
  const problems: string[] = [];
  for (let seed = from; seed < from + count; seed += 1) {
    const name = names[(seed - 1) % names.length]!;
    const answer = await askProgram<SizeAnswer>(new URL('sizes/hostile-program.ts', import.meta.url), [
      name,
      plant,
    ]);
    counts.cases += 1;
    counts.strikes += answer.strikes;
    counts['most MiB of RSS'] = Math.max(counts['most MiB of RSS'], answer.peakMiB);
    counts['longest ms of pause'] = Math.max(counts['longest ms of pause'], answer.pauseMs);
    cells[`${name}, MiB of RSS`] = answer.peakMiB;
    cells[`${name}, ms of pause`] = answer.pauseMs;
    problems.push(
      ...answer.problems.map(
        (problem) => `${name}: ${problem}; npm run replay -- hostile-sizes --seed ${seed}`,
      ),
    );
  }
  return { counts, cells, problems };
};
