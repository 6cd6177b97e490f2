import { localJson } from '../local-answer.js';
import type { LocalHandler } from '../local-service.js';

/** `GET /models`: the folders of models. */
export const modelFolders: LocalHandler = () => localJson(['checkpoints']);
