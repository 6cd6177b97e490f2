import { done } from '../../http/answer.js';
import type { LocalHandler } from '../local-service.js';
import { pythonText } from '../python-text.js';
import { readObject } from '../read-object.js';

/** `POST /history`: forgets records; answers nothing. */
export const editHistory: LocalHandler = async ({ service: { queue }, text }) => {
  const body = readObject(await text());
  if (body['clear'] === true) queue.history.clear();
  const named = body['delete'];
  if (Array.isArray(named)) for (const promptId of named) queue.history.delete(pythonText(promptId));
  return done;
};
