import type { Figure, Range, Tally } from './figure.js';
import { lifecycle, wordOf } from './sizes/lifecycle.js';
import { askProgram, startServer } from './sizes/processes.js';
import type { SlowAnswer, SlowWay } from './sizes/slow-answer.js';

const pictureBytes = 200_000;
const most = { mebibytes: 64, seconds: 1 };

/** S13: a reader that is far slower than the pictures, in a fresh process, on a real socket. */
export const s13: Figure = {
  id: 'S13',
  what: 'slow subscriber: previews of 200 KB as fast as the line takes them, 10 ms for each frame (fresh process, real socket)',
  target: '2,000 previews: RSS ≤ +64 MiB, the end seen ≤ 1 s after it was sent, 0 lifecycle events lost',
  count: 2_000,
  splits: false,
  run: (range) => readSlowly(range),
  shortfalls: ({ counts }) => [
    ...(counts['most MiB of RSS']! <= most.mebibytes ? [] : [`RSS grew above ${most.mebibytes} MiB`]),
    ...(counts['longest s to the end']! <= most.seconds ? [] : [`the end was seen after ${most.seconds} s`]),
  ],
};

/** Lets a slow reader follow a job of so many previews. */
export const readSlowly = async ({ count }: Range, way: SlowWay = 'latest'): Promise<Tally> => {
  await using server = await startServer(new URL('sizes/preview-server.ts', import.meta.url), [
    String(count),
    String(pictureBytes),
  ]);
  const { words, previews, phase, framesMs, stateMs, peakMiB } = await askProgram<SlowAnswer>(
    new URL('sizes/slow-program.ts', import.meta.url),
    [server.address, way],
  );
  const expected = lifecycle('').map(wordOf);
  const lost = expected.filter((word) => !words.includes(word));
  return {
    counts: {
      'previews sent': count,
      'previews seen': previews,
      'lifecycle events': expected.length,
      lost: lost.length,
      'most MiB of RSS': peakMiB,
      'longest s to the end': Math.max(framesMs, stateMs) / 1000,
    },
    problems: [
      ...(lost.length > 0 ? [`lost ${lost.join(', ')}`] : []),
      ...(lost.length === 0 && words.join() !== expected.join() ? ['the events came in another order'] : []),
      ...(phase === 'completed' ? [] : [`the job ended as ${phase}`]),
      ...(previews > 0 ? [] : ['no preview was seen at all']),
    ],
  };
};
