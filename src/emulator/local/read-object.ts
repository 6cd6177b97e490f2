import { asJsonObject, type JsonObject } from '../http/read-json.js';
import { readBody } from './read-body.js';
import { ServerTrouble } from './server-trouble.js';

/** A body as a JSON object without a prototype; anything else is {@link ServerTrouble}. */
export const readObject = (text: string): JsonObject => {
  const body = asJsonObject(readBody(text));
  if (!body) throw new ServerTrouble('the body is no JSON object');
  return body;
};
