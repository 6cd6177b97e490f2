import { asJsonObject, type JsonObject } from '../http/read-json.js';
import { ServerTrouble } from './server-trouble.js';

/** A body as JSON; anything else is {@link ServerTrouble}. */
export const readBody = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new ServerTrouble('the body is no JSON');
  }
};

/** A body as a JSON object without a prototype; anything else is {@link ServerTrouble}. */
export const readObject = (text: string): JsonObject => {
  const body = asJsonObject(readBody(text));
  if (!body) throw new ServerTrouble('the body is no JSON object');
  return body;
};
