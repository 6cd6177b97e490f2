import { done } from '../../http/answer.js';
import type { LocalHandler } from '../local-service.js';
import { pythonText } from '../python-text.js';
import { readObject } from '../read-object.js';

/** `POST /queue`: takes waiting jobs out, as if they had never been; answers nothing. */
export const editQueue: LocalHandler = async ({ service: { queue }, text }) => {
  const body = readObject(await text());
  if (body['clear'] === true) queue.clear();
  const named = body['delete'];
  if (Array.isArray(named)) for (const promptId of named) queue.remove(pythonText(promptId));
  return done;
};
