import type { CancelTimer, Clock } from '../platform/platform.js';

/** Something that is due at a time of the monotonic clock; `dueAt` and `place` belong to the agenda. */
export interface Due {
  dueAt: number;
  /** -1 while it stands in no agenda. */
  place: number;
  /** Called once when its time has come; it stands in no agenda then. */
  readonly due: () => void;
}

/** Many due times that share one timer. */
export interface Agenda {
  /** Puts an entry at a time, wherever it stood before; it stands nowhere with `Infinity`. */
  readonly put: (entry: Due, at: number) => void;
  readonly drop: (entry: Due) => void;
}

/**
 * A binary heap of due times over one timer, which is set for the earliest of them while there is any.
 *
 * An entry costs one slot: ten thousand jobs that wait for half a minute each hold no timer and no closure of their own.
 */
export const agenda = (clock: Clock): Agenda => {
  const heap: Due[] = [];
  let cancelTimer: CancelTimer | undefined;
  let armedFor = Infinity;
  let isServing = false;

  const arm = (): void => {
    if (isServing) return;
    const earliest = heap[0]?.dueAt ?? Infinity;
    // A timer that comes too early for what is left finds nothing due and is set anew.
    if (earliest >= armedFor && earliest !== Infinity) return;
    cancelTimer?.();
    armedFor = earliest;
    cancelTimer = earliest === Infinity ? undefined : clock.after(earliest - clock.now(), serve);
  };
  const serve = (): void => {
    cancelTimer = undefined;
    armedFor = Infinity;
    isServing = true;
    const now = clock.now();
    for (let first = heap[0]; first !== undefined && first.dueAt <= now; first = heap[0]) {
      remove(first);
      first.due();
    }
    isServing = false;
    arm();
  };

  const set = (entry: Due, place: number): void => {
    heap[place] = entry;
    entry.place = place;
  };
  const rise = (entry: Due, from: number): void => {
    let place = from;
    while (place > 0) {
      const parent = heap[(place - 1) >> 1];
      if (parent === undefined || parent.dueAt <= entry.dueAt) break;
      const above = parent.place;
      set(parent, place);
      place = above;
    }
    set(entry, place);
  };
  const sink = (entry: Due, from: number): void => {
    let place = from;
    for (;;) {
      const left = heap[2 * place + 1];
      const right = heap[2 * place + 2];
      const child = right !== undefined && left !== undefined && right.dueAt < left.dueAt ? right : left;
      if (child === undefined || child.dueAt >= entry.dueAt) break;
      const below = child.place;
      set(child, place);
      place = below;
    }
    set(entry, place);
  };
  const remove = (entry: Due): void => {
    const { place } = entry;
    if (place < 0) return;
    entry.place = -1;
    const last = heap.pop();
    if (last === undefined || last === entry) return;
    rise(last, place);
    if (last.place === place) sink(last, place);
  };

  return {
    put: (entry, at) => {
      remove(entry);
      entry.dueAt = at;
      if (at !== Infinity) rise(entry, heap.length);
      arm();
    },
    drop: (entry) => {
      remove(entry);
      arm();
    },
  };
};
