import { describe, expect, it } from 'vitest';
import { workspace } from '../helpers/workspace.js';

const workflow = { '1': { class_type: 'SlowNode', inputs: { steps: 3, text: 'café' } } };
const text = JSON.stringify(workflow);
const wide = (mark: string) => Buffer.from(`\uFEFF${text}`, mark as BufferEncoding);

describe('the text of a file', () => {
  it.each([
    ['UTF-8 with a mark', Buffer.from(`\uFEFF${text}`)],
    ['UTF-16, little endian', wide('utf16le')],
    ['UTF-16, big endian', wide('utf16le').swap16()],
    ['UTF-16 of a wrapper', Buffer.from(`\uFEFF${JSON.stringify({ input: { workflow } })}`, 'utf16le')],
  ])('P4: is read as %s', async (_, bytes) => {
    const { cli, file } = await workspace();
    const converting = cli(['convert', await file('wf.json', bytes)]);
    expect(await converting.exit).toBe(0);
    expect(JSON.parse(converting.stdout())).toEqual(workflow);
    expect(converting.stderr()).toBe('');
  });

  it('P4: is read as Latin-1 where it is no UTF-8, and the command says so', async () => {
    const { cli, file } = await workspace();
    const path = await file('wf.json', Buffer.from(text, 'latin1'));
    for (const argv of [['convert'], ['inspect'], ['codegen'], ['diff', path], ['validate']]) {
      const reading = cli([...argv, path]);
      await reading.exit;
      expect(reading.stderr()).toContain('is not UTF-8: it was read as Latin-1');
      expect(reading.stdout()).not.toContain('\u{FFFD}');
    }
    const definitions = cli(['convert', await file('a.json', text), '--definitions', path]);
    expect(await definitions.exit).toBe(0);
  });

  it('P4: says what it leaves out of a file in API format', async () => {
    const { cli, file } = await workspace();
    const converting = cli(['convert', await file('wf.json', { ...workflow, version: 1 })]);
    expect(await converting.exit).toBe(0);
    expect(JSON.parse(converting.stdout())).toEqual(workflow);
    expect(converting.stderr()).toContain('The member "version" is no node: it is left out.');
  });
});
