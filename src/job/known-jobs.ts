import { addLatest } from '../protocol/add-latest.js';

const maxKnown = 3;

/** Jobs that REST has answered for. */
export interface KnownJobs {
  readonly add: (promptId: string) => void;
  /** The latest ones, without this job. */
  readonly others: (promptId: string) => readonly string[];
}

/** Remembers a few jobs that the service knew: whether it still knows them tells a lost job from lost routes. */
export const knownJobs = (): KnownJobs => {
  const ids = new Set<string>();
  return {
    add: (promptId) => {
      ids.delete(promptId);
      // One more than is asked for: the job itself may be among them.
      addLatest(ids, promptId, maxKnown + 1);
    },
    others: (promptId) => [...ids].filter((id) => id !== promptId).slice(-maxKnown),
  };
};
