import { BehaviorSubject, distinctUntilChanged, map, type Observable } from 'rxjs';

/** Whether anybody needs to know how the servers are: jobs of the pool, and who watches them. */
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
