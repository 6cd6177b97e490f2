import type { Fault } from '../../../src/emulator.js';
import type { Random } from '../../simulation/random.js';

const submission = { on: 'rest', route: 'POST /prompt' } as const;
const failing = (random: Random, route: string, status: number): Fault => ({
  ...{ on: 'rest', route, do: 'answer', status, times: random.between(1, 2) },
});
const message = (type: string, chance = 0.5): Fault => ({
  ...{ on: 'event', do: 'drop', match: { type }, times: 'every', chance },
});

/** What a service does beside its jobs: to sockets, to submissions, and to what it says. */
export const troubles = {
  'refuses sockets': (random: Random): readonly Fault[] => [
    {
      ...{ on: 'socket', do: 'refuse', status: random.pick([403, 502, 503]) },
      times: random.pick([1, 2, 'every'] as const),
    },
  ],
  'cuts handshakes': (random: Random) => [
    { on: 'socket', do: 'cut', times: random.pick([1, 'every'] as const) } as const,
  ],
  'cuts sockets': (random: Random) => [
    {
      on: 'socket',
      do: 'cut',
      after: { messages: random.between(1, 20) },
      times: random.between(1, 3),
    } as const,
  ],
  'is deaf': () => [{ on: 'socket', do: 'mute', after: { messages: 1 } } as const],
  'loses answers to submissions': (random: Random) => [
    {
      ...submission,
      ...{ do: 'answer', status: random.pick([500, 502, 504, 524]), body: 'no', commit: true },
      nth: random.between(1, 3),
    } as const,
  ],
  'cuts answers to submissions': (random: Random) => [
    { ...submission, do: 'commit-then-cut', nth: random.between(1, 3) } as const,
  ],
  'loses submissions': (random: Random) => [
    { on: 'http', route: 'POST /prompt', do: 'cut', phase: 'before', nth: random.between(1, 3) } as const,
  ],
  'answers submissions late': (random: Random) => [
    { ...submission, do: 'delay', ms: random.between(50, 400), times: random.between(1, 3) } as const,
  ],
  'swallows the end': () => [message('execution_success', 0.8), message('executing', 0.3)],
  'swallows outputs': () => [message('executed', 0.7)],
  'swallows news of the queue': () => [message('status', 0.8)],
  'records late': (random: Random) => [
    { on: 'job', do: 'history-lag', ms: random.between(1, 10), times: 'every' } as const,
  ],
  'fails to list': (random: Random) => [
    failing(random, 'GET /queue', 500),
    failing(random, 'GET /history/{id}', 502),
  ],
  'fails to tell': (random: Random) => [
    failing(random, 'GET /api/history_v2/{id}', 502),
    failing(random, 'GET /api/job/{id}/status', 500),
    failing(random, 'GET /api/jobs/{id}', random.pick([500, 503])),
  ],
} satisfies Record<string, (random: Random) => readonly Fault[]>;

/** Its name. */
export type Trouble = keyof typeof troubles;

/** Some of these, without doubles. */
export const drawTroubles = (random: Random, from: readonly Trouble[]): readonly Trouble[] => [
  ...new Set(Array.from({ length: random.between(0, 3) }, () => random.pick(from))),
];

/** Those that any service may have. */
export const common = (Object.keys(troubles) as Trouble[]).filter(
  (name) => !['fails to list', 'fails to tell', 'is deaf', 'swallows news of the queue'].includes(name),
);
