import { memoryStore } from './memory-store.js';
import type { TemplateStore } from '../../joblog/template-store.js';
import { templateStoreIn, type TemplateStoreLimits } from './template-store.js';

/** Makes a {@link TemplateStore} in memory: a restart forgets it, so callers save their templates again. */
export const memoryTemplateStore = (limits: TemplateStoreLimits = {}): TemplateStore =>
  templateStoreIn(memoryStore(), limits);
