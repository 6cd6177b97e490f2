import { from, mergeMap, Subject } from 'rxjs';

/** Runs work, so much of it at a time. */
export interface Slots {
  /** Resolves with the work's own result, once it had its turn: who asked first comes first. The work does not reject. */
  readonly run: <A>(work: () => Promise<A>) => Promise<A>;
}

/** Makes {@link Slots} of which `limit` are busy at most. */
export const slots = (limit: number): Slots => {
  const asked = new Subject<() => Promise<void>>();
  asked.pipe(mergeMap((work) => from(work()), limit)).subscribe();
  return {
    run: (work) => new Promise((resolve) => asked.next(() => work().then(resolve))),
  };
};
