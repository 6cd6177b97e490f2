import type { Observable, Subscription } from 'rxjs';

/** What a stream has told so far. */
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
  const told: Omit<Recording<A>, 'subscription'> = { values: [], end: 'none', error: undefined };
  const subscription = observable.subscribe({
    next: (value) => {
      told.values.push(value);
      onValue(value);
    },
    error: (error: unknown) => Object.assign(told, { end: 'error', error }),
    complete: () => (told.end = 'complete'),
  });
  return Object.assign(told, { subscription });
};
