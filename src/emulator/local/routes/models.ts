import { empty } from '../local-answer.js';
import { localJson } from '../local-answer.js';
import type { LocalHandler } from '../local-service.js';

/** `GET /models/{folder}`: file names; 404 without a body for another folder. */
export const models: LocalHandler = ({ params: [folder] }) =>
  folder === 'checkpoints' ? localJson(['scenery-v1.safetensors']) : empty(404);
