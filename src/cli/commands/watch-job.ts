import {
  catchError,
  combineLatest,
  connect,
  distinctUntilKeyChanged,
  EMPTY,
  endWith,
  filter,
  ignoreElements,
  lastValueFrom,
  map,
  merge,
  mergeMap,
  type Observable,
  type OperatorFunction,
  takeUntil,
  tap,
} from 'rxjs';
import {
  type Client,
  type ConnectionState,
  type Frame,
  fromAbortSignal,
  isTerminal,
  type JobState,
  type Preview,
  previews,
  type Progress,
  progress,
} from '../../node.js';
import { commandWarning } from '../command-options.js';
import type { Session } from '../run-command.js';
import type { ShownProgress } from '../terminal/job-view.js';
import type { Titles } from '../report/cli-event.js';

/** A job with its states and frames, as {@link watchJob} watches it. */
export interface WatchedJob {
  readonly client: Pick<Client, 'connection' | 'stops'>;
  readonly promptId: string;
  /** Whether the service is known to have the job; otherwise its first state says so. */
  readonly isKnown?: boolean;
  readonly states: Observable<JobState>;
  /** Frames of this job: where its previews are. */
  readonly frames: Observable<Frame>;
  /** Empty if only the job's id is known. */
  readonly titles: Titles;
  /** Called with each preview and the current state of the job. */
  readonly onPreview?: (preview: Preview, state: JobState | undefined) => void;
}

/** Reports a job's states, warnings and previews, and resolves with its last state. */
export const watchJob = async (session: Session, job: WatchedJob): Promise<JobState> => {
  session.enterStage(job.isKnown === false ? 'call' : 'watch', job.promptId);
  const watching = job.states.pipe(
    connect((states) => {
      const end = states.pipe(ignoreElements(), endWith(undefined));
      let away = false;
      let state: JobState | undefined;
      const connection = reportConnection(job, session).pipe(
        tap(({ state }) => (away = state !== 'back')),
        ignoreElements(),
      );
      return merge(
        connection.pipe(takeUntil(end)),
        reportStates(states, session, { titles: job.titles, isAway: () => away }).pipe(
          tap((next) => {
            state = next;
            session.enterStage('watch', job.promptId);
          }),
        ),
        reportPreviews(job.frames, session, (preview) => job.onPreview?.(preview, state)).pipe(
          takeUntil(end),
        ),
        refusedKey(job.client).pipe(takeUntil(end)),
      );
    }),
    takeUntil(fromAbortSignal(session.stop)),
  );
  const last = await lastValueFrom(watching, { defaultValue: undefined });
  if (last === undefined || !isTerminal(last.phase)) throw new Error('watching ended before the job did');
  return last;
};

/** Reports changes of the connection and passes them on. */
export const reportConnection = (
  { client: { connection }, promptId }: Pick<WatchedJob, 'client'> & Partial<Pick<WatchedJob, 'promptId'>>,
  { report }: Session,
): Observable<ConnectionChange> =>
  connection.pipe(
    connectionChanges(),
    tap((change) =>
      report({ kind: 'connection', ...(promptId === undefined ? {} : { promptId }), ...change }),
    ),
  );

const reportStates = (
  states: Observable<JobState>,
  { report }: Session,
  { titles, isAway }: Pick<WatchedJob, 'titles'> & { readonly isAway: () => boolean },
): Observable<JobState> =>
  states.pipe(
    connect((shared) => {
      let shown: ShownProgress | undefined;
      let reported = 0;
      // Subscribed first, so that each state is reported with the progress that it implies.
      const passing = shared.pipe(
        progress({ periodMs: 500 }),
        tap((next) => {
          shown = isAway() ? withoutTimeLeft(next) : shownOf(next);
          report({ kind: 'passed', shown });
        }),
        ignoreElements(),
      );
      const reporting = shared.pipe(
        tap((state) => {
          for (const message of state.warnings.slice(reported))
            report({ kind: 'warning', message: commandWarning(message) });
          reported = Math.max(reported, state.warnings.length);
          report({
            kind: 'state',
            state,
            titles,
            ...(shown && { shown: isAway() ? withoutTimeLeft(shown) : shown }),
          });
        }),
      );
      return merge(passing, reporting);
    }),
  );

const shownOf = ({ value, stage, timeLeftMs, timeLeftMaxMs }: Progress): ShownProgress => ({
  value,
  stage,
  ...(timeLeftMs !== undefined && { timeLeftMs }),
  ...(timeLeftMaxMs !== undefined && { timeLeftMaxMs }),
});

const withoutTimeLeft = ({ value, stage }: ShownProgress): ShownProgress => ({ value, stage });

// Previews are optional: their failure does not end the watch.
const reportPreviews = (
  frames: Observable<Frame>,
  { report }: Session,
  take: (preview: Preview) => void,
): Observable<never> =>
  frames.pipe(
    previews(),
    tap((preview) => report({ kind: 'preview', preview })),
    tap(take),
    ignoreElements(),
    catchError(() => EMPTY),
  );

// A command does not wait until the key is accepted again: the job goes on, and can be followed later.
const refusedKey = ({ stops, connection }: WatchedJob['client']): Observable<never> =>
  combineLatest([stops, connection]).pipe(
    mergeMap(([stop, { _tag }]) => {
      if (stop._tag === 'auth' && _tag !== 'open') throw stop.error;
      return EMPTY;
    }),
  );

/** A change of the connection: `missing` before it first opened, `lost` after it was open, `back` once it is open again. */
interface ConnectionChange {
  readonly state: 'missing' | 'lost' | 'back';
  /** Why the connection is not open. */
  readonly reason?: string;
}

/** Emits the changes that the user must know: not the first opening, and no repeated attempts. */
export const connectionChanges = (): OperatorFunction<ConnectionState, ConnectionChange> => (source) =>
  source.pipe(
    map(changeOf),
    filter((change) => change !== undefined),
    distinctUntilKeyChanged('state'),
    map((change, index) => (index > 0 ? change : firstOf(change))),
    filter((change) => change !== undefined),
  );

const firstOf = (change: ConnectionChange): ConnectionChange | undefined =>
  change.state === 'back' ? undefined : { ...change, state: 'missing' };

const changeOf = (connection: ConnectionState): ConnectionChange | undefined => {
  switch (connection._tag) {
    case 'open':
      return { state: 'back' };
    case 'waiting':
    case 'suspended':
    case 'failed':
      return { state: 'lost', reason: connection.reason };
    default:
      return undefined;
  }
};
