import { MemoryLevel } from 'memory-level';
import { type Store, storeOf } from './store.js';

/** Makes a store in memory, which a restart forgets. */
export const memoryStore = (): Store => storeOf(new MemoryLevel<string, string>({ storeEncoding: 'utf8' }));
