/** Which jobs began since somebody wanted to know. */
export interface Begun {
  /** Takes note from now on, until the end of it. */
  readonly since: () => BegunSince;
  /** Notes that a job has begun. */
  readonly add: (promptId: string) => void;
}

/** The jobs that began between two moments. */
export interface BegunSince {
  /** At most the latest 1,000, each once. */
  readonly ids: () => readonly string[];
  readonly end: () => void;
}

/** More jobs than this that begin during one submission help nobody to find their own. */
const maxNoted = 1000;

/** Makes one log of the jobs that begin, shared by whoever wants to know, and kept while anybody does. */
export const begun = (): Begun => {
  const wanting = new Set<object>();
  let log: string[] = [];
  /** How many were noted and are no longer in `log`. */
  let gone = 0;

  return {
    since: () => {
      const from = gone + log.length;
      let until = Infinity;
      const want: BegunSince = {
        ids: () => [...new Set(log.slice(Math.max(0, from - gone), Math.max(0, until - gone)))],
        end: () => {
          if (!wanting.delete(want)) return;
          until = gone + log.length;
          if (wanting.size > 0) return;
          gone = until;
          log = [];
        },
      };
      wanting.add(want);
      return want;
    },
    add: (promptId) => {
      if (wanting.size === 0) return;
      log.push(promptId);
      if (log.length <= maxNoted) return;
      log.shift();
      gone += 1;
    },
  };
};
