/** A set of ids that keeps the latest ones. */
export interface LatestIds {
  readonly add: (id: string) => void;
  readonly has: (id: string) => boolean;
}

/** An empty set of at most `most` ids. */
export const latestIds = (most: number): LatestIds => {
  const ids = new Set<string>();
  return {
    add: (id) => {
      ids.delete(id);
      ids.add(id);
      const [oldest] = ids;
      if (ids.size > most && oldest !== undefined) ids.delete(oldest);
    },
    has: (id) => ids.has(id),
  };
};
