import * as E from '../protocol/either.js';
import { Observable } from 'rxjs';
import type { History } from '../http/rest.js';
import type { ServiceError } from '../protocol/errors/errors.js';
import type { JobEvent } from '../protocol/state/job-event.js';
import type { Outputs } from '../protocol/outputs/outputs.js';
import { after } from '../socket/after.js';
import { concat } from '../streams/concat.js';
import { fromPromise } from '../streams/from-promise.js';
import { mergeMap } from '../streams/merge-map.js';
import { of } from '../streams/of.js';
import { historyRead } from './history-read.js';
import type { InquiryNeeds } from './inquire.js';
import { jobEnd, type JobEnd } from './job-end.js';

/** Waits between reads of a record that is not complete yet: 15.75 s in all. */
const rereadMs = [250, 500, 1000, 2000, 4000, 8000];
/** A job that did not complete owes no outputs, so its record is awaited only briefly: 0.75 s. */
const rereadsOfUnfinished = 2;

/**
 * Turns "it ended" into the job's last event: history is read, and read again while its outputs trail the end.
 *
 * The record wins over what the socket said, and where it tells no end, so does the job's status. Where both say nothing
 * else, the job ends as it was said to, with the outputs that are known, and `outputsComplete` stays false.
 *
 * @param known the outputs that the socket has told so far
 * @param mayDoubt whether REST may still say that the job ended otherwise
 */
export const confirmEnd = (
  { rest, platform }: Pick<InquiryNeeds, 'rest' | 'platform'>,
  end: JobEnd,
  known: () => Outputs,
  mayDoubt = true,
): Observable<JobEvent> => {
  const rereads = end.phase === 'completed' ? rereadMs.length : rereadsOfUnfinished;

  /** Goes on with the end that REST told instead; the wait for its outputs is another one. */
  const insteadOf = (told: JobEnd): Observable<JobEvent> =>
    after(platform.clock, rereadMs[0] ?? 0).pipe(
      mergeMap(() => confirmEnd({ rest, platform }, told, known, false)),
    );
  const lastWordOfStatus = (): Observable<JobEvent> =>
    fromPromise(() => rest.jobStatus(end.promptId)()).pipe(
      mergeMap((status) => {
        const told = E.isRight(status)
          ? jobEnd({ _tag: 'StatusRead', ...status.right, promptId: end.promptId })
          : undefined;
        return told === undefined || told.phase === end.phase ? of(statusRead(end)) : insteadOf(told);
      }),
    );
  const more = (record: E.Either<ServiceError, History>, attempt: number): Observable<JobEvent> => {
    const told = E.isRight(record) ? jobEnd(historyRead(record.right)) : undefined;
    if (mayDoubt && told !== undefined && told.phase !== end.phase) return insteadOf(told);
    const wait = rereadMs[attempt];
    if (attempt < rereads && wait !== undefined) {
      return after(platform.clock, wait).pipe(mergeMap(() => read(attempt + 1)));
    }
    const word =
      told === undefined && mayDoubt
        ? lastWordOfStatus()
        : of(statusRead(told === undefined || told.phase === end.phase ? end : told));
    if (E.isLeft(record)) return word;
    const { outputs } = record.right;
    return concat(of<JobEvent>({ _tag: 'HistoryRead', promptId: end.promptId, outputs }), word);
  };
  const read = (attempt: number): Observable<JobEvent> =>
    new Observable((subscriber) => {
      const answered = (record: E.Either<ServiceError, History>): void => {
        if (E.isRight(record) && isComplete(record.right, end, known())) {
          subscriber.next(lastWord(record.right, end));
          subscriber.complete();
        } else if (!subscriber.closed) {
          more(record, attempt).subscribe(subscriber);
        }
      };
      rest
        .history(end.promptId)()
        .then(answered, (error: unknown) => subscriber.error(error));
    });
  return read(0);
};

const statusRead = ({ promptId, phase, failure }: JobEnd): JobEvent => ({
  _tag: 'StatusRead',
  promptId,
  phase,
  failure,
});

const isComplete = ({ phase, outputs }: History, end: JobEnd, known: Outputs): boolean => {
  if (!Object.keys(known).every((nodeId) => Object.hasOwn(outputs, nodeId))) return false;
  // Only a completed job owes outputs; of any other one the record has to tell the end itself.
  return (phase ?? end.phase) === 'completed' ? Object.keys(outputs).length > 0 : phase !== undefined;
};

const lastWord = (record: History, end: JobEnd): JobEvent => {
  const phase = record.phase ?? end.phase;
  const failure = phase === 'failed' ? (end.failure ?? record.failure) : undefined;
  return { ...historyRead(record), promptId: end.promptId, phase, failure };
};
