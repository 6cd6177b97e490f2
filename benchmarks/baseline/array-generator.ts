import type { Observable } from 'rxjs';

/** The floor: an array, and an async generator that reads it by index; no bound, no early end, one reader. */
export const arrayGenerator = <A>(observable: Observable<A>): AsyncIterable<A> => {
  const values: A[] = [];
  let isOver = false;
  let wake = (): void => undefined;
  observable.subscribe({
    next: (value) => {
      values.push(value);
      wake();
    },
    complete: () => {
      isOver = true;
      wake();
    },
  });
  return read();

  async function* read(): AsyncGenerator<A> {
    for (let at = 0; ; at += 1) {
      while (at === values.length) {
        if (isOver) return;
        await new Promise<void>((resolve) => (wake = resolve));
      }
      yield values[at] as A;
    }
  }
};
