import { canaryKey } from '../helpers/canaries.js';
import type { Figure, Range, Tally } from './figure.js';
import { lifecycle, wordOf } from './sizes/lifecycle.js';
import { askProgram, startServer } from './sizes/processes.js';
import type { SlowAnswer, SlowWay } from './sizes/slow-answer.js';

const pictureBytes = 200_000;
const most = { mebibytes: 64, seconds: 1 };

/** A reader that is far slower than the pictures, in a fresh process, on a real socket. */
export const slowSubscriber: Figure = {
  id: 'slow-subscriber',
  what: 'slow subscriber: previews of 200 KB as fast as the line takes them, 10 ms for each frame (fresh process, real socket)',
  target:
    '2,000 previews: RSS ≤ +64 MiB (median of seven processes), the end seen ≤ 1 s after it was sent, 0 lifecycle events lost',
  count: 2_000,
  splits: false,
  isAlone: true,
  run: (range) => readSlowly(range),
  shortfalls: ({ counts }) => [
    ...(counts['median MiB of RSS']! <= most.mebibytes ? [] : [`RSS grew above ${most.mebibytes} MiB`]),
    ...(counts['longest s to the end']! <= most.seconds ? [] : [`the end was seen after ${most.seconds} s`]),
  ],
};

/** Lets a slow reader follow a job of so many previews, in seven processes where they are many. */
export const readSlowly = async ({ count }: Range, way: SlowWay = 'latest'): Promise<Tally> => {
  await using server = await startServer(new URL('sizes/preview-server.ts', import.meta.url), [
    String(count),
    String(pictureBytes),
  ]);
  const answers: SlowAnswer[] = [];
  // When V8 collects buffers is its own affair, and one process alone may be lucky or not.
  for (let nth = 0; nth < (count < 1_000 ? 1 : 7); nth += 1)
    answers.push(
      await askProgram(new URL('sizes/slow-program.ts', import.meta.url), [
        ...[server.address, way, canaryKey('of-slow-readers')],
      ]),
    );
  const growths = answers.map(({ peakMiB }) => peakMiB).sort((one, other) => one - other);
  return {
    counts: {
      processes: answers.length,
      'previews sent': count * answers.length,
      'previews seen': sum(answers.map(({ previews }) => previews)),
      'lifecycle events': expected.length * answers.length,
      lost: sum(answers.map((answer) => lostOf(answer).length)),
      'median MiB of RSS': growths[growths.length >> 1]!,
      'most MiB of RSS': growths.at(-1)!,
      'longest s to the end':
        Math.max(...answers.flatMap(({ framesMs, stateMs }) => [framesMs, stateMs])) / 1000,
    },
    problems: answers.flatMap(problemsOf),
  };
};

const expected = lifecycle('').map(wordOf);

const lostOf = ({ words }: SlowAnswer): readonly string[] => expected.filter((word) => !words.includes(word));

const problemsOf = (answer: SlowAnswer): readonly string[] => {
  const { words, phase, previews } = answer;
  const lost = lostOf(answer);
  return [
    ...(lost.length > 0 ? [`lost ${lost.join(', ')}`] : []),
    ...(lost.length === 0 && words.join() !== expected.join() ? ['the events came in another order'] : []),
    ...(phase === 'completed' ? [] : [`the job ended as ${phase}`]),
    ...(previews > 0 ? [] : ['no preview was seen at all']),
  ];
};

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
