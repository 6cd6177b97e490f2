import type { CancelTimer, Clock } from '../../core/platform/platform.js';

/** A timer by the monotonic clock; `dueAt` and `place` belong to the queue. */
export interface QueuedTimer {
  dueAt: number;
  /** Its index in the heap; -1 while it is in no queue. */
  place: number;
  /** Called once when its time has come; it is in no queue by then. */
  readonly due: () => void;
}

/** Many timers over one of the platform. */
export interface TimerQueue {
  /** Sets or moves a timer; `Infinity` takes it out. */
  readonly put: (entry: QueuedTimer, at: number) => void;
  readonly drop: (entry: QueuedTimer) => void;
}

/**
 * A binary heap over one timer of the platform, which is set for the earliest entry.
 *
 * An entry costs one slot: ten thousand jobs that wait for half a minute hold no timer and no closure of their own.
 */
export const timerQueue = (clock: Clock): TimerQueue => {
  const heap: QueuedTimer[] = [];
  let cancelTimer: CancelTimer | undefined;
  let armedFor = Infinity;
  let isServing = false;

  const arm = (): void => {
    if (isServing) return;
    const earliest = heap[0]?.dueAt ?? Infinity;
    // A timer that fires too early for what is left finds nothing due and is set anew.
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

  const set = (entry: QueuedTimer, place: number): void => {
    heap[place] = entry;
    entry.place = place;
  };
  const rise = (entry: QueuedTimer, from: number): void => {
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
  const sink = (entry: QueuedTimer, from: number): void => {
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
  const remove = (entry: QueuedTimer): void => {
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
