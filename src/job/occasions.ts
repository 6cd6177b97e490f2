import {
  concat,
  defer,
  distinctUntilChanged,
  EMPTY,
  expand,
  filter,
  map,
  merge,
  NEVER,
  type Observable,
  of,
  switchMap,
} from 'rxjs';
import type { Frame } from '../protocol/frames/frame.js';
import type { ConnectionState } from '../protocol/connection-state.js';
import { after } from '../socket/after.js';
import type { JobContext } from './job-context.js';

const silenceMs = 30_000;
const doubtMs = 2_000;
const firstPollMs = 500;
const pollMs = 2_000;
const pollGrowth = 1.5;
const pollCapMs = 30_000;

/** What {@link occasions} goes by. */
export interface OccasionsOptions {
  /** The job's frames. */
  readonly frames: Observable<Frame>;
  /** When the latest of them came, by the monotonic clock. */
  readonly heardAt: () => number | undefined;
  /** True for a job whose past is unknown, which is looked up at once. */
  readonly atOnce: boolean;
  /** The id of the socket that the job's events go to, where they go to one only (local dialect). */
  readonly boundTo?: string;
  /** Emits when the service has taken the job's cancellation. */
  readonly cancelled?: Observable<unknown>;
}

/**
 * Emits whenever REST should be asked about a job.
 *
 * That is: when a socket opened and events may have been missed; after about 30 s (±20 %) without a frame of the job;
 * 2 s after `executing` said that no node runs while the end itself is missing; at once and 2 s after the job's
 * cancellation was taken; and while no socket brings the job's events, first after 0.5 s, then every 2 s and ever slower
 * up to 30 s.
 */
export const occasions = (
  { source, platform }: Pick<JobContext, 'source' | 'platform'>,
  { frames, heardAt, atOnce, boundTo, cancelled = NEVER }: OccasionsOptions,
): Observable<void> => {
  const { clock, random } = platform;
  const jitter = (ms: number): number => ms * (0.8 + 0.4 * random());

  const onSilence = defer(() => {
    let quietSince = clock.now();
    const due = defer(() => after(clock, Math.max(0, quietSince + jitter(silenceMs) - clock.now())));
    return due.pipe(
      expand(() => due),
      filter(() => {
        const isSilent = (heardAt() ?? quietSince) <= quietSince;
        quietSince = isSilent ? clock.now() : (heardAt() ?? quietSince);
        return isSilent;
      }),
    );
  });

  const polling = after(clock, jitter(firstPollMs)).pipe(
    map(() => 0),
    expand((n) => after(clock, jitter(Math.min(pollCapMs, pollMs * pollGrowth ** n))).pipe(map(() => n + 1))),
    map(() => undefined),
  );

  let isFirst = !atOnce;
  const byConnection = source.states.pipe(
    map((state) => hearing(state, boundTo)),
    filter((hears) => hears !== undefined),
    distinctUntilChanged(),
    switchMap((hears) => {
      const missed = isFirst ? EMPTY : of(undefined);
      isFirst = false;
      return hears === false ? concat(missed, polling) : concat(missed, onSilence);
    }),
  );

  const onDoubt = frames.pipe(
    filter(saysNothingRuns),
    switchMap(() => after(clock, doubtMs)),
  );

  const onCancel = cancelled.pipe(switchMap(() => concat(of(undefined), after(clock, doubtMs))));

  return merge(byConnection, onDoubt, onCancel);
};

/** The socket that brings the job's events, false where none does, undefined while that is being found out. */
const hearing = (state: ConnectionState, boundTo: string | undefined): string | false | undefined => {
  if (state._tag === 'open')
    return boundTo === undefined || boundTo === state.clientId ? state.clientId : false;
  return state._tag === 'idle' || (state._tag === 'connecting' && state.attempt === 0) ? undefined : false;
};

const saysNothingRuns = (frame: Frame): boolean =>
  frame._tag === 'Event' && frame.type === 'executing' && (frame.data.node ?? '') === '';
