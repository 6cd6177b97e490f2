import type { Clock } from '../core/platform/platform.js';
import type { JobPhase, JobState } from '../core/state/job-state.js';
import type { Observable, Subscription } from 'rxjs';

/** What a stream of states has emitted so far, made by {@link phaseTimeline}. */
export interface PhaseTimeline {
  /** Every state. */
  readonly states: readonly JobState[];
  /** The phases, each once in a row. */
  readonly phases: readonly JobPhase[];
  /**
   * The phases with the time between them, such as `submitting 10ms pending 100ms in_progress 1s completed |`. It begins with the
   * subscription; `|` is completion and `#` an error, as in marble diagrams. What comes at one time has no time between it.
   */
  readonly diagram: string;
  /** What the stream errored with; undefined if it did not. */
  readonly error: unknown;
  /** The subscription to the stream. */
  readonly subscription: Subscription;
}

/**
 * Subscribes to the states of a job and writes their phases down with the time between them, as one line to expect.
 *
 * It never throws: an error of the stream is `#` in the diagram and stands in `error`.
 *
 * @example
 * ```ts
 * import { createClient, type Workflow } from 'promptwire';
 * import { phaseTimeline, scriptedService } from 'promptwire/testing';
 *
 * const lifeOf = async (workflow: Workflow) => {
 *   const service = scriptedService();
 *   await using client = createClient(service);
 *   const life = phaseTimeline(client.run(workflow), service.clock);
 *   await service.clock.advance(10_000);
 *   return life.diagram;
 * };
 * ```
 */
export const phaseTimeline = (states: Observable<JobState>, clock: Clock): PhaseTimeline => {
  const seen: JobState[] = [];
  const phases: JobPhase[] = [];
  const words: string[] = [];
  let lastAt = clock.now();
  let error: unknown;
  const write = (word: string): void => {
    const passedMs = clock.now() - lastAt;
    if (passedMs > 0) words.push(durationOf(passedMs));
    words.push(word);
    lastAt = clock.now();
  };
  const subscription = states.subscribe({
    next: (state) => {
      seen.push(state);
      if (state.phase === phases.at(-1)) return;
      phases.push(state.phase);
      write(state.phase);
    },
    error: (problem: unknown) => {
      error = problem;
      write('#');
    },
    complete: () => write('|'),
  });
  return {
    states: seen,
    phases,
    get diagram() {
      return words.join(' ');
    },
    get error() {
      return error;
    },
    subscription,
  };
};

/** A duration as marble diagrams write it. */
const durationOf = (ms: number): string =>
  ms >= 60_000 && ms % 60_000 === 0
    ? `${ms / 60_000}m`
    : ms >= 1_000 && ms % 1_000 === 0
      ? `${ms / 1_000}s`
      : `${ms}ms`;
