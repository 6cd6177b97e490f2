import type { Emulator } from '../../../src/emulator.js';
import { type Random, randomOf } from '../../simulation/random.js';
import { eventually } from './eventually.js';
import type { RealPlan } from './plan.js';
import { longPatienceMs, playReal, type PlayOptions, type RealParts, type RealRun } from './play-real.js';

/** One silent line, and how long everything took by the client's clock. */
export interface SilentRun {
  readonly run: RealRun;
  /** From the end of a job to the moment at which its watcher knew, the slowest. */
  readonly outcomeMs: number;
  /** From the last sign of life to the moment at which the line was given up; `undefined` where pings are answered. */
  readonly replacedMs: number | undefined;
}

/** A few jobs whose line falls silent while they run; every fiftieth seed has one. */
export const drawSilence = (seed: number): RealPlan => {
  const random = randomOf(seed, 10);
  const action = (['blackhole', 'mute', 'stall'] as const)[Math.floor(seed / 50) % 3]!;
  return {
    seed,
    hurry: 6,
    speed: 10,
    jobs: Array.from({ length: random.between(1, 3) }, (_, index) => ({
      index,
      via: random.pick(['run', 'submit'] as const),
      workflow: longWorkflow(random, index),
      cancels: false,
    })),
    strikes: [
      {
        index: 0,
        kind: action,
        faults: [{ on: 'socket', do: action, after: { messages: random.between(2, 12) } }],
      },
    ],
  };
};

const longWorkflow = (random: Random, index: number): RealPlan['jobs'][number]['workflow'] => ({
  [`${100 * (index + 1)}`]: { class_type: 'SlowNode', inputs: { steps: random.between(10, 40) } },
});

/** Plays a silent line; its users go on wanting the connection until it is there anew. */
export const playSilence = async (plan: RealPlan, options: PlayOptions = {}): Promise<SilentRun> => {
  const endedAt = new Map<string, number>();
  const attend = async ({ client, emulator, platform, users, connection }: RealParts): Promise<void> => {
    const wanted = client.frames.subscribe({ error: () => undefined });
    let isSettled = false;
    void users.settled.then(() => (isSettled = true));
    await eventually(() => {
      note(emulator, endedAt, platform.clock.now());
      return isSettled && (answersPings(plan) || leftAt(connection) !== undefined);
    }, options.patienceMs ?? longPatienceMs);
    wanted.unsubscribe();
  };
  const run = await playReal(plan, { ...options, attend });
  const left = leftAt(run.connection);
  const heard = run.platform.lastHeardAt[0];
  const replacedMs = left === undefined || heard === undefined ? Infinity : left - heard;
  return {
    run,
    outcomeMs: Math.max(0, ...run.users.watchers.map((watcher) => tookOf(watcher, endedAt))),
    replacedMs: answersPings(plan) ? undefined : replacedMs,
  };
};

const answersPings = ({ strikes }: RealPlan): boolean => strikes[0]?.kind === 'mute';

const note = ({ ledger }: Emulator, endedAt: Map<string, number>, now: number): void => {
  for (const { promptId, state } of ledger.jobs)
    if (state !== 'pending' && state !== 'in_progress' && !endedAt.has(promptId)) endedAt.set(promptId, now);
};

/** When the first line that was open was given up, and not by the end of the client. */
const leftAt = (connection: RealRun['connection']): number | undefined => {
  const opened = connection.findIndex(({ state }) => state._tag === 'open');
  const next = opened === -1 ? undefined : connection[opened + 1];
  return next?.state._tag === 'waiting' ? next.at : undefined;
};

const tookOf = (
  { states, since, settledAt }: RealRun['users']['watchers'][number],
  endedAt: ReadonlyMap<string, number>,
): number => {
  const ended = endedAt.get(states.at(-1)?.promptId ?? '') ?? 0;
  return (settledAt() ?? Infinity) - Math.max(ended, since);
};
