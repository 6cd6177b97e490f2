import { createOutputRedactor } from '../../src/cli/redact-output.js';
import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { jsonLines } from './helpers/json-lines.js';
import { spelled } from '../helpers/spelled.js';
import { startCli } from './helpers/start-cli.js';
import { workspace } from './helpers/workspace.js';

const digits = '0123456789abcdefABCDEF';
const keyLike = fc
  .string({ unit: fc.constantFrom(...Array.from(digits)), minLength: 32, maxLength: 64 })
  .map((end) => `comfyui-${end}`);

describe('createOutputRedactor', () => {
  it('H5: hides a word that looks like a key however its characters are spelled', () => {
    const { redact } = createOutputRedactor({});
    fc.assert(
      fc.property(keyLike.chain(spelled), (word) => {
        expect(redact(`<${word}>`)).toBe('<[redacted]>');
      }),
    );
  });

  it('hides what stands behind the scheme of a header by itself, whole', () => {
    const { redact, addSecret } = createOutputRedactor({});
    addSecret('Bearer first-half second-half');
    expect(redact('got first-half second-half')).toBe('got [redacted]');
    expect(redact('the second-half of it')).toBe('the second-half of it');
  });

  it('shows allowed keys, and names that only begin like a key', () => {
    const { redact, allow } = createOutputRedactor({});
    const own = `comfyui-${'0123456789abcdef'.repeat(4)}`;
    allow(own);
    expect(redact(`export PROMPTWIRE_API_KEY=${own}`)).toContain(own);
    expect(redact('comfyui%2Dclient.json')).toBe('comfyui%2Dclient.json');
  });
});

const key = 'Zq7+Yt4/Kj1=Vb9xW2mN';

describe('a key that stands where it does not belong', () => {
  it.each([
    ['status', key],
    ['follow', key, '--timeout', '1'],
    ['cancel', key],
    ['outputs', key],
    ['nodes', key],
    ['upload', key],
  ])('H1: %s shows it on no line', async (...argv) => {
    const { cli } = await workspace({ acceptKeys: [key] });
    for (const options of [{}, { isTTY: true }]) {
      for (const flags of [[], ['--json']]) {
        const running = cli([...argv, ...flags], options);
        await running.exit;
        const shown = running.stdout() + running.stderr();
        expect(shown).toContain('[redacted]');
        expect(shown).not.toContain(key);
        expect(shown).not.toContain(encodeURIComponent(key));
      }
    }
  });

  const misplaced = [
    ['run', 'KEY'],
    ['run', 'a.json', '--set', 'KEY'],
    ['run', 'a.json', '--timeout', 'KEY'],
    ['run', 'a.json', '--KEY'],
    ['status', 'a', '--key-file', 'KEY'],
    ['emulate', '--dialect', 'KEY'],
    ['emulate', '--faults', 'KEY'],
    ['KEY'],
  ].map((argv) => [argv] as const);
  const shownBy = async (argv: readonly string[], apiKey?: string): Promise<string> => {
    const env = { PROMPTWIRE_BASE_URL: 'http://127.0.0.1:1', PROMPTWIRE_API_KEY: apiKey };
    const running = startCli(argv, { env });
    expect(await running.exit).toBe(2);
    return running.stdout() + running.stderr();
  };
  const withKey = (argv: readonly string[], apiKey: string): readonly string[] =>
    argv.map((word) => word.replace('KEY', apiKey));

  it.each(misplaced)('H5: %j shows the key of the environment on no line', async (argv) => {
    const shown = await shownBy(withKey(argv, key), ` ${key}\n`);
    expect(shown).toContain('[redacted]');
    expect(shown).not.toContain(key);
  });

  it.each(misplaced)('H5: %j shows no word that looks like a key', async (argv) => {
    const unset = `comfyui-${'0123456789abcdef'.repeat(4)}`;
    const shown = await shownBy(withKey(argv, unset));
    expect(shown).toContain('[redacted]');
    expect(shown).not.toContain(unset);
  });

  it('tells the key of an emulator all the same, also where it is the one of the environment', async () => {
    const first = startCli(['emulate', '--seed', '5']);
    await first.printed(/export PROMPTWIRE_API_KEY=comfyui-[0-9a-f]{64}\n/u);
    const [, own = ''] = /API_KEY=(\S+)/u.exec(first.stdout()) ?? [];
    first.signal('SIGINT');
    await first.exit;
    const second = startCli(['emulate', '--seed', '5'], { env: { PROMPTWIRE_API_KEY: own } });
    await second.printed(`export PROMPTWIRE_API_KEY=${own}\n`);
    second.signal('SIGINT');
    await second.exit;
  });

  it.each(['comfyui-client.json', 'ComfyUI-landscape-of-the-whole-valley-in-spring_00001_.json'])(
    'leaves a name alone that only begins like a key: %s',
    async (name) => {
      expect(await shownBy(['run', name])).toContain(name);
    },
  );

  it('leaves words alone that a short key could be', async () => {
    const { cli } = await workspace({ acceptKeys: ['end'] });
    const running = cli(['queue', '--json']);
    await running.exit;
    expect(jsonLines(running.stdout()).map(({ kind }) => kind)).toEqual(['queue', 'end']);
  });
});
