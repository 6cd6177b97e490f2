import { done } from '../../http/answer.js';
import type { LocalHandler } from '../local-service.js';
import { readObject } from '../read-object.js';

/** `POST /free`: takes any object and answers nothing. */
export const free: LocalHandler = async ({ text }) => {
  readObject(await text());
  return done;
};
