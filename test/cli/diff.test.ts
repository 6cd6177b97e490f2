import { describe, expect, it } from 'vitest';
import { jsonLines } from './helpers/json-lines.js';
import { workspace } from './helpers/workspace.js';

const before = {
  '1': { class_type: 'Loader', inputs: { name: 'a' } },
  '2': { class_type: 'Sampler', inputs: { seed: 7, model: ['1', 0] }, _meta: { title: 'Main' } },
  '3': { class_type: 'Preview', inputs: { images: ['2', 0] } },
};
const after = {
  '1': before['1'],
  '5': {
    class_type: 'Sampler',
    inputs: { seed: 12345, model: ['1', 0] },
    _meta: { title: 'Main' },
  },
  '6': { class_type: 'Save', inputs: { images: ['5', 0] } },
};

describe('promptwire diff', () => {
  it('prints each difference, and ends as diff(1) does', async () => {
    const { cli, file, asked } = await workspace();
    const [a, b] = [
      await file('a.json', { prompt: before }),
      await file('b.json', JSON.stringify(after).replace('12345', '18446744073709551615')),
    ];
    const differing = cli(['diff', a, b]);
    expect(await differing.exit).toBe(1);
    expect(differing.stdout()).toBe(
      '- 3 Preview\n  5 Main: was node 2\n  5 Main: seed 7 → 18446744073709551615\n+ 6 Save\n',
    );
    const same = cli(['diff', a, '-'], { stdin: JSON.stringify(before) });
    expect([await same.exit, same.stdout()]).toEqual([0, '']);
    expect(await cli(['diff', a, 'none.json']).exit).toBe(2);
    expect(await cli(['diff', '-', '-'], { stdin: '{}' }).exit).toBe(2);
    expect(asked()).toEqual([]);
  });

  it('writes each difference as a line of JSON', async () => {
    const { cli, file } = await workspace();
    const running = cli(['diff', await file('a.json', before), await file('b.json', after), '--json']);
    expect(await running.exit).toBe(1);
    expect(jsonLines(running.stdout())).toMatchObject([
      { kind: 'change', _tag: 'NodeRemoved', nodeId: '3', node: before['3'] },
      { kind: 'change', _tag: 'IdChanged', nodeId: '5', from: '2' },
      { kind: 'change', _tag: 'InputChanged', nodeId: '5', input: 'seed', from: 7 },
      { kind: 'change', _tag: 'NodeAdded', nodeId: '6' },
      { kind: 'end', exit: 'differs', code: 1 },
    ]);
  });

  it('compares a file of the editor with its API format', async () => {
    const { cli, file, asked } = await workspace();
    const ui = {
      nodes: [{ id: 1, type: 'SlowNode', mode: 0, widgets_values: [3], title: 'Slow' }],
      links: [],
      version: 0.4,
    };
    const api = { '1': { class_type: 'SlowNode', inputs: { steps: 3 }, _meta: { title: 'Slow' } } };
    const [a, b] = [await file('ui.json', ui), await file('api.json', api)];
    expect(await cli(['diff', a, b]).exit).toBe(0);
    expect(asked()).toEqual(['GET /api/object_info']);
    const definitions = await file('info.json', {
      SlowNode: { input: { required: { speed: ['INT', {}] } } },
    });
    const other = cli(['diff', a, b, '--definitions', definitions]);
    expect([await other.exit, other.stdout()]).toEqual([
      1,
      '  1 Slow: speed 3 → (none)\n  1 Slow: steps (none) → 3\n',
    ]);
  });
});
