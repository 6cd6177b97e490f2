import { filter, share, tap, type Observable } from 'rxjs';

/** What `useSyncExternalStore` and its like take, member by member. */
export interface Store<A> {
  /** Calls the listener after each change until the returned function is called. */
  readonly subscribe: (listener: () => void) => () => void;
  /** The latest value, the same reference until it changes; throws the error that ended the stream. */
  readonly getSnapshot: () => A;
  /** The initial value, for rendering on a server. */
  readonly getServerSnapshot: () => A;
}

/**
 * Makes a store of an Observable: the latest value to read, and a way to listen to its changes.
 *
 * ```text
 * listener         ----^--------!
 * observable           --a--b-b--c--
 * called           ------x--x----            snapshot: initial, a, b
 * ```
 *
 * Nothing is subscribed to before the first listener comes, so that making a store on a server costs and leaks nothing;
 * listeners share one subscription, which ends with the last of them, while the snapshot stays. Give it a stream that
 * may be subscribed to twice (`job.states`, `client.connection`): views come and go, and each first listener subscribes
 * anew, which with `client.run` would be a new submission. Once the stream has completed or failed it is not subscribed
 * to again. An error calls the listeners, and `getSnapshot` throws it from then on, so that an error boundary sees it.
 *
 * @param observable - Where the values come from.
 * @param initial - The snapshot before the first value, and on a server.
 *
 * @example
 * ```ts
 * import { toStore, type Job, type JobState } from 'promptwire';
 *
 * // const state = useSyncExternalStore(store.subscribe, store.getSnapshot, store.getServerSnapshot);
 * const storeOf = (job: Job) => toStore<JobState | undefined>(job.states, undefined);
 * ```
 */
export const toStore = <A>(observable: Observable<A>, initial: A): Store<A> => {
  let read = (): A => initial;

  const changes = observable.pipe(
    filter((value) => !Object.is(value, read())),
    tap({
      next: (value) => (read = () => value),
      error: (error: unknown) => (read = () => raise(error)),
    }),
    share({ resetOnComplete: false, resetOnError: false }),
  );

  return {
    subscribe: (listener) => {
      const call = (): void => listener();
      const subscription = changes.subscribe({ next: call, error: call });
      return () => subscription.unsubscribe();
    },
    getSnapshot: () => read(),
    getServerSnapshot: () => initial,
  };
};

const raise = (error: unknown): never => {
  throw error;
};
