import { readText } from './read-json.js';
import { refuseOpenFile } from './private-file.js';
import type { Session } from '../run-command.js';
import { UsageError } from '../cli-io.js';

/** Reads the token by which a gateway is asked: from the file, or PROMPTWIRE_GATEWAY_TOKEN; undefined if neither is set. */
export const readToken = async (
  { io: { env, stdin }, stop }: Session,
  file: string | undefined,
): Promise<string | undefined> => {
  const text = file === undefined ? env['PROMPTWIRE_GATEWAY_TOKEN'] : await readText(file, { stdin, stop });
  if (file !== undefined && file !== '-') await refuseOpenFile(file, 'token');
  const token = text?.trim() ?? '';
  if (token === '' && file === undefined) return undefined;
  if (!/^[\x21-\x7e]+$/u.test(token))
    throw new UsageError(`what ${file ?? 'PROMPTWIRE_GATEWAY_TOKEN'} holds is no token: a token is one word`);
  return token;
};
