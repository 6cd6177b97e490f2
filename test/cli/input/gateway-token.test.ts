import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { join } from 'node:path';
import { readToken } from '../../../src/cli/input/gateway-token.js';
import { Readable } from 'node:stream';
import type { Session } from '../../../src/cli/run-command.js';
import { tmpdir } from 'node:os';
import { UsageError } from '../../../src/cli/cli-io.js';

const variable = 'PROMPTWIRE_GATEWAY_TOKEN';

/** Reads the token as a command does with this environment and standard input. */
const read = (file?: string, env: Readonly<Record<string, string>> = {}, typed = '') =>
  readToken(
    { io: { env, stdin: Readable.from([typed]) }, stop: new AbortController().signal } as unknown as Session,
    file,
  );

const fileOf = async (text: string, mode = 0o600): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'promptwire-token-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'token');
  await writeFile(file, text);
  await chmod(file, mode);
  return file;
};

describe('the token by which a gateway is asked', () => {
  it('comes from the file, from standard input, or else from the variable, without the blanks around it', async () => {
    expect(await read(await fileOf(' token-of-file\n'), { [variable]: 'of-variable' })).toBe('token-of-file');
    expect(await read('-', { [variable]: 'of-variable' }, 'typed-token\n')).toBe('typed-token');
    expect(await read(undefined, { [variable]: ' of-variable ' })).toBe('of-variable');
  });

  it('is none where nothing names one', async () => {
    expect([await read(), await read(undefined, { [variable]: ' ' })]).toEqual([undefined, undefined]);
  });

  it.each([0o640, 0o604, 0o660])('is refused from a file that others can read (mode %i)', async (mode) => {
    const file = await fileOf('token-of-file', mode);
    await expect(read(file)).rejects.toThrow(`others on this machine can read the token file ${file}`);
  });

  it.each([
    ['', 'of nothing'],
    ['two words', 'of two words'],
    ['t\u00f6ken', 'of letters that no header carries'],
    ['a\nb', 'of two lines'],
  ])('is refused, and never told, where the file is %j (%s)', async (text) => {
    const file = await fileOf(text);
    const refused = await read(file).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(UsageError);
    expect((refused as Error).message).toBe(`what ${file} holds is no token: a token is one word`);
  });

  it('is refused from a variable of two words, whose name is told', async () => {
    await expect(read(undefined, { [variable]: 'secret words' })).rejects.toThrow(
      `what ${variable} holds is no token: a token is one word`,
    );
  });
});
