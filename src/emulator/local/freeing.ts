import type { ResultCache } from '../scheduler/result-cache.js';

/** What `POST /free` asks for; the engine does it between two jobs. */
export interface Freeing {
  /** Asks for it: at once where no job runs. */
  readonly ask: (isBusy: boolean) => void;
  /** Does what was asked for. */
  readonly act: () => void;
}

/** Empties the cache of results where that was asked for. */
export const createFreeing = (cache: ResultCache): Freeing => {
  let isAsked = false;
  const act = (): void => {
    if (isAsked) cache.begin([]);
    isAsked = false;
  };
  return {
    act,
    ask: (isBusy) => {
      isAsked = true;
      if (!isBusy) act();
    },
  };
};
