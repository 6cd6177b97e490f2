import { ServerTrouble } from './server-trouble.js';

/** A body as JSON; anything else is {@link ServerTrouble}. */
export const readBody = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new ServerTrouble('the body is no JSON');
  }
};
