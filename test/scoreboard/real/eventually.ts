/** MatchInput every few milliseconds until something holds; false where it does not within the time. */
export const eventually = async (holds: () => boolean, withinMs: number): Promise<boolean> => {
  const until = performance.now() + withinMs;
  while (!holds()) {
    if (performance.now() > until) return false;
    await new Promise((resolve) => setTimeout(resolve, 3));
  }
  return true;
};
