import { isTerminal, type JobState } from '../../src/core/state/job-state.js';
import type { Observable } from 'rxjs';
import type { SimClock } from './sim-clock.js';
import { sinks } from '../helpers/sinks.js';

/** What one subscriber of a job saw. */
export interface Watcher {
  readonly job: number;
  readonly name: string;
  readonly since: number;
  readonly states: readonly JobState[];
  /** Each of {@link states} as JSON. */
  readonly texts: readonly string[];
  /** When each of {@link states} came. */
  readonly times: readonly number[];
  /** The last state where it is terminal. */
  readonly end: () => JobState | undefined;
  readonly completed: () => boolean;
  readonly error: () => unknown;
  readonly hasError: () => boolean;
  /** When it completed or errored. */
  readonly settledAt: () => number | undefined;
  /** When its user left it. */
  readonly leftAt: () => number | undefined;
  readonly leave: () => void;
}

/** Options of {@link watch}. */
export interface WatchOptions {
  readonly job: number;
  readonly name: string;
  readonly clock: Pick<SimClock, 'now'>;
  readonly settled: (watcher: Watcher) => void;
}

/** Subscribes, and writes down what comes, also after what should be the last. */
export const watch = (source: Observable<JobState>, { job, name, clock, settled }: WatchOptions): Watcher => {
  const states: JobState[] = [];
  const texts: string[] = [];
  const times: number[] = [];
  let completed = false;
  let failure: { readonly error: unknown } | undefined;
  let settledAt: number | undefined;
  let leftAt: number | undefined;
  const settle = (): void => {
    settledAt = clock.now();
    settled(watcher);
  };
  const watcher: Watcher = {
    job,
    name,
    since: clock.now(),
    states,
    texts,
    times,
    end: () => {
      const last = states.at(-1);
      return last !== undefined && isTerminal(last.phase) ? last : undefined;
    },
    completed: () => completed,
    error: () => failure?.error,
    hasError: () => failure !== undefined,
    settledAt: () => settledAt,
    leftAt: () => leftAt,
    leave: () => {
      if (settledAt !== undefined || leftAt !== undefined) return;
      leftAt = clock.now();
      subscription.unsubscribe();
    },
  };
  const subscription = source.subscribe({
    next: (state) => {
      states.push(state);
      times.push(clock.now());
      const text = JSON.stringify(state);
      texts.push(text);
      sinks.text('a state of a job', text);
    },
    error: (error: unknown) => {
      failure = { error };
      sinks.value('an error of a job', error);
      settle();
    },
    complete: () => {
      completed = true;
      settle();
    },
  });
  return watcher;
};
