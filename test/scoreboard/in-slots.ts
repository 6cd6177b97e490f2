/** Something that takes one slot while it runs, or all of them, or none. */
export interface Task {
  readonly isAlone?: boolean | undefined;
  readonly mostlyWaits?: boolean | undefined;
  readonly run: () => Promise<void>;
}

/**
 * Runs tasks in their order, at most so many at a time beside those that mostly wait; what is alone begins when all others are
 * done and runs by itself.
 */
export const inSlots = async (tasks: readonly Task[], slots: number): Promise<void> => {
  const running = new Set<Promise<void>>();
  const waiting = new Set<Promise<void>>();
  for (const { isAlone = false, mostlyWaits = false, run } of tasks) {
    if (isAlone) await Promise.all([...running, ...waiting]);
    while (!mostlyWaits && running.size >= slots) await Promise.race([...running, ...waiting]);
    const list = mostlyWaits ? waiting : running;
    const done = run().finally(() => list.delete(done));
    list.add(done);
    if (isAlone) await done;
  }
  await Promise.all([...running, ...waiting]);
};
