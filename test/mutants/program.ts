import type { Range, Tally } from '../scoreboard/figure.js';
import { g2 } from '../scoreboard/g2.js';
import { g6 } from '../scoreboard/g6.js';
import { g7 } from '../scoreboard/g7.js';
import { s1 } from '../scoreboard/s1.js';
import { s10 } from '../scoreboard/s10.js';
import { s22 } from '../scoreboard/s22.js';
import { s25 } from '../scoreboard/s25.js';
import { s3 } from '../scoreboard/s3.js';
import { s5 } from '../scoreboard/s5.js';
import { s7 } from '../scoreboard/s7.js';
import { playSchedules } from '../scoreboard/schedules.js';
import { drawSchedule } from '../simulation/draw-schedule.js';

const figures = [s1, s3, s5, s7, s10, s22, s25, g2, g6, g7];

/** In a process of its own: plays ranges of a figure until one finds something, and writes which and what as JSON. */
const main = async ([id = '', ranges = '[]']: readonly string[]): Promise<void> => {
  Error.stackTraceLimit = 0;
  const figure = figures.find((one) => one.id === id);
  if (figure === undefined) throw new Error(`there is no figure ${id}`);
  // What failed is not shrunk here: the finding is enough.
  const play = (range: Range): Promise<Tally> =>
    id === 'S1' ? playSchedules({ id, draw: drawSchedule, shrinks: 0 }, range) : figure.run(range);
  for (const [place, range] of (JSON.parse(ranges) as readonly Range[]).entries()) {
    const tally = await play(range);
    const problems = [...tally.problems, ...(figure.shortfalls?.(tally, range.count) ?? [])];
    if (problems.length === 0) continue;
    process.stdout.write(JSON.stringify({ place, problem: problems[0] }));
    return;
  }
  process.stdout.write('{}');
};

await main(process.argv.slice(2));
