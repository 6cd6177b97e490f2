import { addLatest } from '../../core/protocol/collections.js';

/** Enough to notice an id that a service answers again by mistake. */
const maxIds = 1_000;

/** The ids that submissions of this client were answered with. */
export interface AcceptedIds {
  /** Notes an id; false if another submission was answered with it before. */
  readonly add: (promptId: string) => boolean;
  readonly has: (promptId: string) => boolean;
}

/** Remembers the latest 1,000 ids, so that two submissions are never taken for one job. */
export const acceptedIds = (): AcceptedIds => {
  const ids = new Set<string>();
  return {
    has: (promptId) => ids.has(promptId),
    add: (promptId) => {
      if (ids.has(promptId)) return false;
      addLatest(ids, promptId, maxIds);
      return true;
    },
  };
};
