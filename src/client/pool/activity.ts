import { BehaviorSubject, distinctUntilChanged, map, type Observable } from 'rxjs';

/** Counts who needs the health of the servers: jobs of the pool, and watchers. */
export interface Activity {
  /** Counts one more; call the result once, when it is over. */
  readonly begin: () => () => void;
  readonly any: Observable<boolean>;
}

export const poolActivity = (): Activity => {
  const count = new BehaviorSubject(0);
  return {
    begin: () => {
      count.next(count.value + 1);
      return () => count.next(count.value - 1);
    },
    any: count.pipe(
      map((open) => open > 0),
      distinctUntilChanged(),
    ),
  };
};
