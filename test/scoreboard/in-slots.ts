/** Something that takes one slot while it runs, or all of them. */
export interface Task {
  readonly isAlone?: boolean | undefined;
  readonly run: () => Promise<void>;
}

/** Runs tasks in their order, at most so many at a time; what is alone begins when the others are done and runs by itself. */
export const inSlots = async (tasks: readonly Task[], slots: number): Promise<void> => {
  const running = new Set<Promise<void>>();
  for (const { isAlone = false, run } of tasks) {
    while (running.size >= (isAlone ? 1 : slots)) await Promise.race(running);
    const done = run().finally(() => running.delete(done));
    running.add(done);
    if (isAlone) await done;
  }
  await Promise.all(running);
};
