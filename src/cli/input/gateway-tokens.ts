import { type CliIo, UsageError } from '../cli-io.js';
import { readText } from './read-json.js';
import { refuseOpenFile } from './private-file.js';

/**
 * Reads the tokens of a gateway's callers, by name: from a file of lines `name:token`, or PROMPTWIRE_GATEWAY_TOKENS, where commas
 * separate them. Errors hold no token.
 */
export const readGatewayTokens = async (
  { env, stdin }: Pick<CliIo, 'env' | 'stdin'>,
  { tokensFile, stop }: { readonly tokensFile: string | undefined; readonly stop: AbortSignal },
): Promise<Readonly<Record<string, string>>> => {
  if (tokensFile === undefined) {
    return parse((env['PROMPTWIRE_GATEWAY_TOKENS'] ?? '').split(','), 'PROMPTWIRE_GATEWAY_TOKENS');
  }
  const text = await readText(tokensFile, { stdin, stop });
  if (tokensFile !== '-') await refuseOpenFile(tokensFile, 'token');
  const lines = text.split(/\r?\n/u).filter((line) => !line.trimStart().startsWith('#'));
  const tokens = parse(lines, tokensFile === '-' ? 'standard input' : tokensFile);
  if (Object.keys(tokens).length > 0) return tokens;
  throw new UsageError(`${tokensFile} holds no tokens: each line is name:token`);
};

const parse = (entries: readonly string[], source: string): Readonly<Record<string, string>> => {
  const tokens = Object.create(null) as Record<string, string>;
  const used = new Set<string>();
  for (const [at, entry] of entries.map((text) => text.trim()).entries()) {
    if (entry === '') continue;
    const [, name, token] = /^([\w.@-]+):([\x21-\x7e]+)$/u.exec(entry) ?? [];
    if (name === undefined || token === undefined) {
      throw new UsageError(`entry ${at + 1} of ${source} is not name:token`);
    }
    if (token.length < shortest) {
      throw new UsageError(
        `the token of ${name} in ${source} can be guessed: use ${shortest} characters or more`,
      );
    }
    if (name in tokens) throw new UsageError(`${source} names ${name} twice`);
    if (used.has(token)) throw new UsageError(`${source} gives ${name} the token of another caller`);
    used.add(token);
    tokens[name] = token;
  }
  return tokens;
};

/** Who can send a hundred guesses a second finds anything shorter. */
const shortest = 16;
