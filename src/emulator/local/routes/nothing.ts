import { localJson } from '../local-answer.js';
import type { LocalHandler } from '../local-service.js';

/** `GET /embeddings` and `GET /extensions`: there are none. */
export const nothing: LocalHandler = () => localJson([]);
