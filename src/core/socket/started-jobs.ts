/** A log of the jobs that started, kept while a watch is open. */
export interface StartedJobs {
  /** Opens a watch, until its `end`. */
  readonly since: () => StartedSince;
  /** Logs that a job has started. */
  readonly add: (promptId: string) => void;
}

/** The jobs that started while a watch was open. */
export interface StartedSince {
  /** At most the latest 1,000, each once. */
  readonly ids: () => readonly string[];
  readonly end: () => void;
}

/** More candidates than this do not help to find the job of a submission. */
const maxLogged = 1000;

/** Makes the log, which all watches share. */
export const startedJobs = (): StartedJobs => {
  const watches = new Set<object>();
  let log: string[] = [];
  /** How many were dropped from the start of `log`. */
  let dropped = 0;

  return {
    since: () => {
      const from = dropped + log.length;
      let until = Infinity;
      const watch: StartedSince = {
        ids: () => [...new Set(log.slice(Math.max(0, from - dropped), Math.max(0, until - dropped)))],
        end: () => {
          if (!watches.delete(watch)) return;
          until = dropped + log.length;
          if (watches.size > 0) return;
          dropped = until;
          log = [];
        },
      };
      watches.add(watch);
      return watch;
    },
    add: (promptId) => {
      if (watches.size === 0) return;
      log.push(promptId);
      if (log.length <= maxLogged) return;
      log.shift();
      dropped += 1;
    },
  };
};
