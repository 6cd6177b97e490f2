import { describe, expect, it } from 'vitest';
import { jsonLines } from './helpers/json-lines.js';
import { workspace } from './helpers/workspace.js';

const key = 'Zq7+Yt4/Kj1=Vb9xW2mN';

describe('a key that stands where it does not belong', () => {
  it.each([
    ['status', key],
    ['follow', key],
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

  it('leaves words alone that a short key could be', async () => {
    const { cli } = await workspace({ acceptKeys: ['end'] });
    const running = cli(['queue', '--json']);
    await running.exit;
    expect(jsonLines(running.stdout()).map(({ kind }) => kind)).toEqual(['queue', 'end']);
  });
});
