/** Runs a task for each item, so many at a time, and keeps the order of the results. */
export const inParallel = async <A, B>(
  items: readonly A[],
  most: number,
  task: (item: A) => Promise<B>,
): Promise<readonly B[]> => {
  const results = new Array<B>(items.length);
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++) results[index] = await task(items[index]!);
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, worker));
  return results;
};
