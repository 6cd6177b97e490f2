/** Something that is due at a time of the simulation. */
export interface Timer {
  at: number;
  order: number;
  readonly work: () => void;
  /** Waits while the client's machine sleeps. */
  readonly ofClient: boolean;
  live: boolean;
}

/** Timers by due time, those of one time in the order in which they were set. */
export interface TimerHeap {
  readonly push: (timer: Timer) => void;
  readonly pop: () => Timer | undefined;
  readonly peek: () => Timer | undefined;
}

/** Makes a binary heap of timers. */
export const timerHeap = (): TimerHeap => {
  const heap: Timer[] = [];
  const before = (one: Timer, other: Timer): boolean =>
    one.at < other.at || (one.at === other.at && one.order < other.order);

  return {
    peek: () => heap[0],
    push: (timer) => {
      let place = heap.length;
      while (place > 0) {
        const parent = (place - 1) >> 1;
        if (!before(timer, heap[parent]!)) break;
        heap[place] = heap[parent]!;
        place = parent;
      }
      heap[place] = timer;
    },
    pop: () => {
      const first = heap[0];
      const last = heap.pop();
      if (first === undefined || last === undefined || heap.length === 0) return first;
      let place = 0;
      for (;;) {
        let child = 2 * place + 1;
        if (child >= heap.length) break;
        if (child + 1 < heap.length && before(heap[child + 1]!, heap[child]!)) child += 1;
        if (!before(heap[child]!, last)) break;
        heap[place] = heap[child]!;
        place = child;
      }
      heap[place] = last;
      return first;
    },
  };
};
