import * as E from '../../protocol/either.js';
import type { Endpoint } from '../endpoint.js';

/** What an engine gives back. */
export interface FreedMemory {
  /** Unloads the models from the devices; default true. */
  readonly unloadModels?: boolean | undefined;
  /** Empties the cache of results too, which unloads the models as well; default false. */
  readonly freeMemory?: boolean | undefined;
}

/** `POST /api/free`: flags that the engine acts on once the present job is over (docs/protocol.md, chapter 11). */
export const freeEndpoint = ({ unloadModels = true, freeMemory = false }: FreedMemory): Endpoint<void> => ({
  method: 'POST',
  path: '/api/free',
  json: JSON.stringify({ unload_models: unloadModels, free_memory: freeMemory }),
  idempotency: 'always',
  read: () => E.right(undefined),
});
