import * as E from 'fp-ts/lib/Either.js';
import { concat, from, ignoreElements, tap } from 'rxjs';
import type { Client } from '../../../src/client/client-types.js';
import type { Job } from '../../../src/client/jobs/job-handle.js';
import type { JobState } from '../../../src/core/state/job-state.js';
import { countingSignal, type CountingSignal } from '../../helpers/counting-signal.js';
import { sinks } from '../../helpers/sinks.js';
import { watch, type Watcher } from '../../simulation/watcher.js';
import type { CountedPlatform } from './counted-platform.js';
import type { RealJob, RealPlan } from './plan.js';

/** What the users of one run did and saw. */
export interface RealUsers {
  readonly watchers: readonly Watcher[];
  /** Failed submissions, by job. */
  readonly refusals: ReadonlyMap<number, { readonly error: unknown; readonly at: number }>;
  readonly signals: readonly CountingSignal[];
  /** Prompt ids of frames that a job was given though they are of another one. */
  readonly strayed: readonly string[];
  /** When each submission was asked for. */
  readonly askedAt: ReadonlyMap<number, number>;
  /** Resolves once everybody has what they were owed. */
  readonly settled: Promise<void>;
}

/** Lets the users of a plan act on a client, all at once. */
export const realUsers = (plan: RealPlan, client: Client, platform: CountedPlatform): RealUsers => {
  const { clock } = platform;
  const watchers: Watcher[] = [];
  const refusals = new Map<number, { readonly error: unknown; readonly at: number }>();
  const signals: CountingSignal[] = [];
  const strayed: string[] = [];
  const askedAt = new Map<number, number>();
  let pending = 0;
  let settle = (): void => undefined;
  const settled = new Promise<void>((resolve) => (settle = resolve));
  const look = (): void => {
    if (pending === 0 && watchers.every(({ settledAt }) => settledAt() !== undefined)) settle();
  };

  const see = (job: number, name: string, source: Parameters<typeof watch>[0]): void => {
    const noted = ({ error, states }: Watcher): void => {
      // The watcher itself is in the list only after a stream that ends at once.
      queueMicrotask(look);
      sinks.value('an error of a job', error());
      sinks.state('the last state of a job', states.at(-1));
    };
    watchers.push(watch(source, { job, name, clock, settled: noted }));
  };

  const follow = ({ index, cancels }: RealJob, job: Job): void => {
    job.frames.subscribe({
      next: ({ promptId }) => {
        if (promptId !== undefined && promptId !== job.promptId) strayed.push(promptId);
      },
      error: () => undefined,
    });
    if (cancels) void job.cancel()();
    see(index, 'states', job.states);
    see(index, 'iterator', from(job));
    see(index, 'follow', client.follow(job.promptId));
    see(index, 'late', concat(job.states.pipe(ignoreElements()), job.states));
  };

  const submit = (job: RealJob, options: Parameters<Client['submit']>[1]): void => {
    pending += 1;
    void client
      .submit(job.workflow, options)()
      .then((answer) => {
        pending -= 1;
        if (E.isRight(answer)) {
          follow(job, answer.right);
          return;
        }
        queueMicrotask(look);
        refusals.set(job.index, { error: answer.left, at: clock.now() });
        sinks.value('a refused submission', answer.left);
      });
  };

  for (const job of plan.jobs) {
    const counting = countingSignal();
    const options = { signal: counting.signal, extraData: { correlation: job.index } };
    signals.push(counting);
    askedAt.set(job.index, clock.now());
    if (job.aborts !== undefined) {
      const { at, afterMs } = job.aborts;
      platform.atMoment(at, () => setTimeout(() => counting.abort(), afterMs).unref());
    }
    if (job.via === 'submit') submit(job, options);
    else see(job.index, 'run', client.run(job.workflow, options).pipe(tap(cancelsOnce(client, job))));
  }
  return {
    watchers,
    refusals,
    signals,
    strayed,
    askedAt,
    settled,
  };
};

/** Asks for the end of a job as soon as its id is known, where the plan says so. */
const cancelsOnce = (client: Client, { cancels }: RealJob): ((state: JobState) => void) => {
  let isDue = cancels;
  return ({ promptId }) => {
    if (!isDue || promptId === '') return;
    isDue = false;
    void client.cancel(promptId)();
  };
};
