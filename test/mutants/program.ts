import type { Range, Tally } from '../scoreboard/figure.js';
import { resumedStreams } from '../scoreboard/resumed-streams.js';
import { oneKeyOneJob } from '../scoreboard/one-key-one-job.js';
import { secretsAndWalls } from '../scoreboard/secrets-and-walls.js';
import { randomFaultSchedules } from '../scoreboard/random-fault-schedules.js';
import { silentConnections } from '../scoreboard/silent-connections.js';
import { soak } from '../scoreboard/soak.js';
import { determinism } from '../scoreboard/determinism.js';
import { eventOrders } from '../scoreboard/event-orders.js';
import { hostileFrames } from '../scoreboard/hostile-frames.js';
import { noDuplicateSubmissions } from '../scoreboard/no-duplicate-submissions.js';
import { playSchedules } from '../scoreboard/schedules.js';
import { drawSchedule } from '../simulation/draw-schedule.js';

const figures = [
  randomFaultSchedules,
  eventOrders,
  hostileFrames,
  noDuplicateSubmissions,
  silentConnections,
  soak,
  determinism,
  resumedStreams,
  oneKeyOneJob,
  secretsAndWalls,
];

/** In a process of its own: plays ranges of a figure until one finds something, and writes which and what as JSON. */
const main = async ([id = '', ranges = '[]']: readonly string[]): Promise<void> => {
  Error.stackTraceLimit = 0;
  const figure = figures.find((one) => one.id === id);
  if (figure === undefined) throw new Error(`there is no figure ${id}`);
  // What failed is not shrunk here: the finding is enough.
  const play = (range: Range): Promise<Tally> =>
    id === 'random-fault-schedules'
      ? playSchedules({ id, draw: drawSchedule, shrinks: 0 }, range)
      : figure.run(range);
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
