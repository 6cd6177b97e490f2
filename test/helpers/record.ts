import type { Observable, Subscription } from 'rxjs';

/** What a stream has emitted so far. */
export interface Recording<A> {
  readonly values: A[];
  end: 'none' | 'complete' | 'error';
  error: unknown;
  readonly subscription: Subscription;
}

/** Subscribes and writes down what comes. */
export const record = <A>(
  observable: Observable<A>,
  onValue: (value: A) => void = () => undefined,
): Recording<A> => {
  const recording: Omit<Recording<A>, 'subscription'> = { values: [], end: 'none', error: undefined };
  const subscription = observable.subscribe({
    next: (value) => {
      recording.values.push(value);
      onValue(value);
    },
    error: (error: unknown) => Object.assign(recording, { end: 'error', error }),
    complete: () => (recording.end = 'complete'),
  });
  return Object.assign(recording, { subscription });
};
