import { catchError, concatMap, defer, EMPTY, type Observable, Subject, tap } from 'rxjs';

/** Does work one piece after the other, in a queue for each name. */
export interface SerialQueues {
  /** Does work after all earlier work of the same name, in a later turn; settles as the work does. */
  readonly run: <A>(name: string, work: () => Promise<A>) => Promise<A>;
  /** Resolves once all work so far is done. */
  readonly settled: () => Promise<void>;
}

interface SerialQueue {
  readonly work: Subject<Observable<unknown>>;
  /** How much of it is not done. */
  waiting: number;
}

/** Makes {@link SerialQueues}; a queue is kept only as long as it has work. */
export const serialQueues = (): SerialQueues => {
  const queues = new Map<string, SerialQueue>();
  const pending = new Set<Promise<unknown>>();

  const queueOf = (name: string): SerialQueue => {
    const known = queues.get(name);
    if (known !== undefined) return known;
    const queue: SerialQueue = { work: new Subject(), waiting: 0 };
    queue.work.pipe(concatMap((work) => work)).subscribe({ error: () => undefined });
    queues.set(name, queue);
    return queue;
  };
  const leave = (name: string, queue: SerialQueue): void => {
    queue.waiting -= 1;
    if (queue.waiting > 0) return;
    queues.delete(name);
    queue.work.complete();
  };

  return {
    run: <A>(name: string, work: () => Promise<A>) => {
      const queue = queueOf(name);
      queue.waiting += 1;
      const done = new Promise<A>((resolve, reject) => {
        queue.work.next(
          defer(() => Promise.resolve().then(work)).pipe(
            tap({ next: resolve, error: reject, finalize: () => leave(name, queue) }),
            catchError(() => EMPTY),
          ),
        );
      });
      pending.add(done);
      const forget = (): void => void pending.delete(done);
      done.then(forget, forget);
      return done;
    },
    settled: async () => {
      await Promise.allSettled(pending);
    },
  };
};
