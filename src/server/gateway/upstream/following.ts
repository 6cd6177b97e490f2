import { boundOutputs } from './bound-outputs.js';
import type { Clock } from '../../../core/platform/platform.js';
import type { JobState } from '../../../core/state/job-state.js';
import type { Preview } from '../../../core/protocol/frames/frame.js';
import {
  concatMap,
  defer,
  EMPTY,
  filter,
  from,
  groupBy,
  map,
  mergeMap,
  type Observable,
  of,
  retry,
  Subscription,
  tap,
  throttle,
  using,
} from 'rxjs';
import { isServiceError } from '../../../core/errors/service-error.js';
import { isTerminal } from '../../../core/state/job-state.js';
import type { JobRegistry } from '../registry/job-registry.js';
import { type JobImages, keepImages } from '../../joblog/job-images.js';
import { joinStates } from '../../../core/state/join-states.js';
import { timerOn } from '../../../core/platform/timer.js';
import { withoutPrototype } from '../../../core/state/outputs.js';
import type { UpstreamJob, UpstreamState } from './upstream.js';

type Followed = Pick<UpstreamJob, 'states' | 'frames'>;

/** Follows jobs in the registry until they end or the gateway closes. */
export interface Following {
  /**
   * Follows a job; `lost` makes its last state where the service knows no such job.
   *
   * @param again - Follows it anew after an error that says nothing about the job.
   */
  readonly follow: (
    id: string,
    job: Followed,
    again: () => Followed,
    lost: (known: JobState) => JobState,
  ) => void;
  /** Whether this process follows the job, or is about to again. */
  readonly follows: (id: string) => boolean;
  /** Another process follows the job. */
  readonly leave: (id: string) => void;
  readonly stop: () => void;
}

const noOutputs: JobState['outputs'] = withoutPrototype({});

/** How long the gateway waits before it follows a job anew that it could not follow. */
const retryDelayMs = 10_000;

/** Makes a {@link Following} of a registry; pictures that jobs send over the socket go to `images`. */
export const following = (registry: JobRegistry, clock: Clock, images?: JobImages): Following => {
  const all = new Subscription();
  /** By the ids of their jobs. */
  const followed = new Map<string, Subscription>();

  const follow: Following['follow'] = (id, job, again, lost) => {
    followed.get(id)?.unsubscribe();
    const own = new Subscription();
    all.add(own);
    followed.set(id, own);
    own.add(() => {
      all.remove(own);
      if (followed.get(id) === own) followed.delete(id);
    });
    const applyState = ({ isAnew, ...state }: UpstreamState): void => {
      const latest = registry.latest(id);
      const known = isAnew === true && latest !== undefined ? { ...latest, outputs: noOutputs } : latest;
      if (known !== undefined) registry.applyState(id, joinStates(known, asAsked(registry, id, state)));
    };
    // A state without pictures is passed on in the turn in which it comes.
    const kept = (state: UpstreamState): Observable<UpstreamState> =>
      state.socketImages === undefined ? of(state) : from(keepImages(images, id, state, registry.latest(id)));
    const bounded = boundOutputs();
    const ways = [job];
    const once = defer(() => {
      const way = ways.pop() ?? again();
      return using(
        // The states end with the same error.
        () =>
          previewsOf(way, clock)
            .pipe(tap((preview) => registry.setPreview(id, preview)))
            .subscribe({ error: () => undefined }),
        // What a state makes the registry throw concerns this job alone.
        () => way.states.pipe(map(bounded), concatMap(kept), tap(applyState)),
      );
    });
    const pauseAfter = (error: unknown): Observable<unknown> => {
      const known = registry.latest(id);
      if (known === undefined || isTerminal(known.phase)) return EMPTY;
      const tag = isServiceError(error) ? error._tag : undefined;
      if (tag === 'NotFound') registry.applyState(id, asAsked(registry, id, lost(known)));
      return tag === 'NotFound' || tag === 'Closed'
        ? EMPTY
        : timerOn(clock, retryDelayMs, { background: true });
    };
    const end = (): void => own.unsubscribe();
    own.add(once.pipe(retry({ delay: pauseAfter })).subscribe({ error: end, complete: end }));
  };

  return {
    follow,
    follows: (id) => followed.has(id),
    leave: (id) => {
      followed.get(id)?.unsubscribe();
      followed.delete(id);
    },
    stop: () => all.unsubscribe(),
  };
};

/** At least this long between two previews of a node, in milliseconds: a sampler may send hundreds a second, and ten are a film to watch. */
const previewEveryMs = 100;

/** The previews of a job: of each node the first at once, and of those that come too soon the newest. */
const previewsOf = ({ frames }: Followed, clock: Clock): Observable<Preview> =>
  frames.pipe(
    filter((frame) => frame._tag === 'Preview'),
    groupBy(({ nodeId }) => nodeId),
    mergeMap((ofNode) =>
      ofNode.pipe(
        throttle(() => timerOn(clock, previewEveryMs, { background: true }), {
          leading: true,
          trailing: true,
        }),
      ),
    ),
  );

/** A job that vanished after its cancellation was cancelled. */
const asAsked = (registry: JobRegistry, id: string, state: JobState): JobState =>
  state.phase === 'untraceable' && registry.get(id)?.record.cancelRequestedAt !== undefined
    ? { ...state, phase: 'cancelled' }
    : state;
