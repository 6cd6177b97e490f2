import { describe, expect, it } from 'vitest';
import { outputsByTitle, template } from '../../../src/workflow.js';

const saver = (title?: string) => ({
  class_type: 'SaveImage',
  inputs: { images: ['1', 0] },
  ...(title !== undefined && { _meta: { title } }),
});
const file = (filename: string) => ({ images: [{ filename, subfolder: '', type: 'output' }] });
const source = { class_type: 'EmptyImage', inputs: {} };

describe('outputsByTitle', () => {
  it('O5: gives the files of each title, of a class without one, and of an id without either', () => {
    const other = { ...saver(), class_type: 'SaveText' };
    const workflow = { '1': source, '2': saver('Cover'), '3': other, '4': saver('9'), '5': saver() };
    const outputs = {
      '2': file('a.png'),
      '3': file('b.png'),
      '9': file('c.png'),
      '4': file('d.png'),
      '5': file('e.png'),
    };
    const named = outputsByTitle({ outputs }, workflow);
    if (named._tag === 'Left') throw named.left;
    expect(Object.getPrototypeOf(named.right)).toBeNull();
    const names = Object.entries(named.right).map(([name, files]) => [
      name,
      files.map(({ filename }) => filename),
    ]);
    expect(Object.fromEntries(names)).toEqual({
      Cover: ['a.png'],
      SaveText: ['b.png'],
      '9': ['d.png'],
      '5': ['e.png'],
      '#9': ['c.png'],
    });
  });

  it('O5: is an error with the ids where two nodes share the title, also where one of them has no files', () => {
    const workflow = { '1': source, '2': saver('Cover'), '3': saver('Cover') };
    expect(outputsByTitle({ outputs: { '3': file('a.png') } }, workflow)).toMatchObject({
      left: { _tag: 'AmbiguousNode', name: 'Cover', nodeIds: ['2', '3'] },
    });
    expect(outputsByTitle({ outputs: { '1': file('a.png') } }, workflow)).toMatchObject({ _tag: 'Right' });
  });

  it('O5: keeps a class apart from the title of another node', () => {
    const workflow = { '1': source, '2': saver(), '3': { ...saver('SaveImage'), class_type: 'Other' } };
    const named = outputsByTitle({ outputs: { '2': file('a.png'), '3': file('b.png') } }, workflow);
    expect(named).toMatchObject({
      right: { '2': [{ filename: 'a.png' }], SaveImage: [{ filename: 'b.png' }] },
    });
  });

  it('O5: counts the files of a node made at run time to the node that shows them', () => {
    const nodes = { '2.0.0.1': { nodeId: '2.0.0.1', displayNodeId: '2' } };
    const state = { outputs: { '2.0.0.1': file('a.png') }, nodes: nodes as never };
    expect(outputsByTitle(state, { '1': source, '2': saver('Cover') })).toMatchObject({
      right: { Cover: [{ filename: 'a.png', displayNodeId: '2' }] },
    });
  });

  it('O5: has the names that a template tells of its outputs', () => {
    const made = template({ '1': source, '2': saver('Cover'), '3': saver() }, {});
    if (made._tag === 'Left') throw made.left;
    expect(made.right.outputs).toEqual([
      { name: 'Cover', nodeId: '2', class: 'SaveImage' },
      { name: '3', nodeId: '3', class: 'SaveImage' },
    ]);
  });
});
