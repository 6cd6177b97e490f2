import { json } from './respond.js';
import { largeCharacters } from '../../joblog/turn-for-large.js';
import type { RouteCall } from './route.js';

/** Waits until an answer of a large value may be made; throws `HttpRefusal` where its caller, or the gateway, may hold no more. */
export const roomForLarge = async ({ work }: Pick<RouteCall, 'work'>, value: unknown): Promise<void> => {
  const characters = largeCharacters(value);
  if (characters > 0) await work(characters);
};

/** A JSON answer as `json` makes it; a large one is made once its caller may have it. */
export const largeJson = async (
  call: Pick<RouteCall, 'work'>,
  body: unknown,
  status?: number,
  headers?: HeadersInit,
): Promise<Response> => {
  await roomForLarge(call, body);
  return json(body, status, headers);
};
