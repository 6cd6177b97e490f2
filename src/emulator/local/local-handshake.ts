import type { Settings } from '../settings.js';
import type { ClientFlags } from '../sockets/client-flags.js';
import { answerHandshake } from '../sockets/handshake.js';
import { serverFlags } from '../sockets/server-flags.js';
import { encodeEvent } from '../wire.js';
import { pythonJson } from './python-json.js';

/** What came of a socket's message; flags that are no object are taken and answered like any others. */
export type LocalHandshake =
  { readonly flags: ClientFlags | 'broken'; readonly answer: string } | 'something else' | 'not a message';

/** Reads a client's message as the handshake, with the local server's carelessness about its `data`. */
export const localHandshake = (text: string, settings: Settings): LocalHandshake => {
  const outcome = answerHandshake(text, settings);
  if (outcome === 'not a message') return outcome;
  const answer = encodeEvent('feature_flags', serverFlags(settings), pythonJson);
  if (typeof outcome !== 'string') return { flags: outcome.flags, answer };
  const message = JSON.parse(text) as { readonly type?: unknown; readonly data?: unknown };
  return message.type === 'feature_flags' ? { flags: 'broken', answer } : outcome;
};
