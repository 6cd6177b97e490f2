import { defer, Observable, switchMap, tap } from 'rxjs';
import { isTerminal, type JobState, noNodes } from '../state/job-state.js';
import { noNodeErrors } from '../state/node-errors.js';
import { noOutputs } from '../state/outputs.js';

/** Submits on each subscription, and follows the job to its end; `cancel` asks for it where a subscriber leaves before. */
export const submitAndFollow = (
  submit: () => Promise<string>,
  follow: (id: string) => Observable<JobState>,
  cancel: (id: string) => Promise<unknown>,
  onUnsubscribe: 'detach' | 'cancel' | undefined,
): Observable<JobState> =>
  new Observable((subscriber) => {
    let isOver = false;
    subscriber.next(submitting);
    // A submission is not aborted: its answer says which job to end.
    const submitted = submit();
    subscriber.add(() => {
      if (onUnsubscribe === 'cancel' && !isOver) submitted.then(cancel).catch(() => undefined);
    });
    return defer(() => submitted)
      .pipe(
        switchMap(follow),
        tap(({ phase }) => (isOver = isTerminal(phase))),
      )
      .subscribe(subscriber);
  });

const submitting: JobState = {
  promptId: '',
  phase: 'submitting',
  nodes: noNodes,
  progress: 0,
  outputs: noOutputs,
  outputsComplete: false,
  nodeErrors: noNodeErrors,
  warnings: [],
};
