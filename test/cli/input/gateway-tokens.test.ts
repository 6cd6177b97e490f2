import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { join } from 'node:path';
import { readGatewayTokens } from '../../../src/cli/input/gateway-tokens.js';
import { Readable } from 'node:stream';
import { tmpdir } from 'node:os';

const variable = 'PROMPTWIRE_GATEWAY_TOKENS';
const [one, other] = ['a-token-of-16-up', 'another-token-of-more'];

const read = async (tokensFile?: string, env: Readonly<Record<string, string>> = {}, typed = '') => ({
  ...(await readGatewayTokens(
    { env, stdin: Readable.from([typed]) },
    { tokensFile, stop: new AbortController().signal },
  )),
});

const fileOf = async (text: string, mode = 0o600): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'promptwire-tokens-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'tokens');
  await writeFile(file, text);
  await chmod(file, mode);
  return file;
};

describe('the tokens of a gateway’s callers', () => {
  it('are the lines of a file, without comments and blank lines, or those that are typed', async () => {
    const text = `# tokens\r\nann:${one}\r\n\r\n  # more\n bob@example.org:${other} \n`;
    const expected = { ann: one, 'bob@example.org': other };
    expect(await read(await fileOf(text), { [variable]: `carol:${one}` })).toEqual(expected);
    expect(await read('-', {}, text)).toEqual(expected);
  });

  it('are those of the variable, separated by commas, and none where it is not set', async () => {
    expect(await read(undefined, { [variable]: `ann:${one}, bob:${other},` })).toEqual({
      ann: one,
      bob: other,
    });
    expect(await read()).toEqual({});
    // A token may hold colons, and a caller the name of a member of objects.
    const tokens = await readGatewayTokens(
      { env: { [variable]: `__proto__:${one}:x,toString:${other}` }, stdin: Readable.from(['']) },
      { tokensFile: undefined, stop: new AbortController().signal },
    );
    expect(Object.entries(tokens)).toEqual([
      ['__proto__', `${one}:x`],
      ['toString', other],
    ]);
  });

  it.each([0o640, 0o604])('are refused from a file that others can read (mode %i)', async (mode) => {
    await expect(read(await fileOf(`ann:${one}`, mode))).rejects.toThrow(
      'others on this machine can read the token file',
    );
  });

  it.each([
    ['', 'holds no tokens: each line is name:token'],
    ['# ann\n', 'holds no tokens: each line is name:token'],
    [`bob:${other}\nann ${one}`, 'entry 2 of FILE is not name:token'],
    [`an n:${one}`, 'entry 1 of FILE is not name:token'],
    [`ann:${one} x`, 'entry 1 of FILE is not name:token'],
    [`ann:${one.slice(1)}`, 'the token of ann in FILE can be guessed: use 16 characters or more'],
    [`ann:${one}\nann:${other}`, 'FILE names ann twice'],
    [`ann:${one}\nbob:${one}`, 'FILE gives bob the token of another caller'],
  ])('are refused, and never told, where a file holds %j', async (text, message) => {
    const file = await fileOf(text);
    const refused = await read(file).catch((error: unknown) => String(error));
    expect(refused).toContain(message.replace('FILE', file));
    expect(refused).not.toContain(one.slice(1));
    if (text !== '') {
      const typed = await read('-', {}, text).catch((error: unknown) => String(error));
      expect(typed).toContain(message.includes('FILE') ? message.replace('FILE', 'standard input') : message);
    }
  });
});
