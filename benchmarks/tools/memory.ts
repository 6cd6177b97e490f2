/** Work whose memory is looked at in a process of its own. */
export type MemoryQuestion =
  | { readonly of: 'idle jobs'; readonly count: number }
  | { readonly of: 'fold'; readonly events: number }
  | { readonly of: 'slow consumer'; readonly way: 'promptwire' | 'queueing'; readonly count: number }
  | { readonly of: 'download'; readonly bytes: number }
  | { readonly of: 'upload'; readonly path: string }
  | { readonly of: 'types'; readonly classes: number };

/** What it came to. */
export interface MemoryAnswer {
  /** By how much it grew. */
  readonly bytes: number;
  /** Of `slow consumer`: how long after it was written the end was seen. */
  readonly endSeenAfterMs?: number;
}

/** Watches the resident memory of this process while work goes on: the most that it grew by. */
export const residentGrowth = async (work: () => Promise<unknown>): Promise<number> => {
  settle();
  const before = process.memoryUsage.rss();
  let most = before;
  const look = (): void => {
    most = Math.max(most, process.memoryUsage.rss());
  };
  const timer = setInterval(look, 5);
  await work();
  look();
  clearInterval(timer);
  return most - before;
};

/** How much more the heap holds after work than before, garbage collected. */
export const heapGrowth = async (work: () => Promise<unknown>): Promise<number> => {
  settle();
  const before = process.memoryUsage().heapUsed;
  await work();
  settle();
  return process.memoryUsage().heapUsed - before;
};

export const settle = (): void => {
  for (let time = 0; time < 4; time += 1) globalThis.gc?.();
};
