import type { Device } from './device.js';
import type { ResultCache } from '../scheduler/result-cache.js';

/** What a request asks to be freed. */
export interface Freed {
  readonly unloadModels: boolean;
  /** The cache of results is emptied, and the models are unloaded as well. */
  readonly freeMemory: boolean;
}

/** What `POST /free` asks for; the engine does it between two jobs. */
export interface Freeing {
  /** Asks for it: at once where no job runs. */
  readonly ask: (what: Freed, isBusy: boolean) => void;
  /** Does what was asked for. */
  readonly act: () => void;
}

/** Empties the cache of results, and unloads models, where that was asked for. */
export const createFreeing = (cache: ResultCache, device: Pick<Device, 'unloadAll'>): Freeing => {
  let asked: Freed = nothing;
  const act = (): void => {
    if (asked.freeMemory || asked.unloadModels) device.unloadAll();
    if (asked.freeMemory) cache.begin([]);
    asked = nothing;
  };
  return {
    act,
    ask: (what, isBusy) => {
      asked = {
        unloadModels: asked.unloadModels || what.unloadModels,
        freeMemory: asked.freeMemory || what.freeMemory,
      };
      if (!isBusy) act();
    },
  };
};

const nothing: Freed = { unloadModels: false, freeMemory: false };
