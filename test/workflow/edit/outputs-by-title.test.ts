import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { factsOf } from '../../../src/workflow/edit/node-facts.js';
import { findInput, outputsByTitle, template } from '../../../src/workflow.js';
import { outputNamer } from '../../../src/workflow/edit/outputs-by-title.js';

const saver = (title?: string) => ({
  class_type: 'SaveImage',
  inputs: { images: ['1', 0] },
  ...(title !== undefined && { _meta: { title } }),
});
const file = (filename: string) => ({ images: [{ filename, subfolder: '', type: 'output' }] });
const source = { class_type: 'EmptyImage', inputs: {} };

describe('outputsByTitle', () => {
  it('law: names each node by what findInput finds it by, but for titles that several have', () => {
    const word = fc.constantFrom('a', 'b', '1', '2', '');
    const nodes = fc.dictionary(
      fc.constantFrom('1', '2', 'a'),
      fc.record({ class: word, title: fc.option(word, { nil: undefined }) }),
    );
    fc.assert(
      fc.property(nodes, (drawn) => {
        const workflow = Object.fromEntries(
          Object.entries(drawn).map(([id, { class: name, title }]) => [
            id,
            { class_type: name, inputs: { x: 1 }, ...(title !== undefined && { _meta: { title } }) },
          ]),
        );
        const facts = factsOf(workflow);
        const nameOf = outputNamer(facts);
        for (const node of facts) {
          const isShared =
            node.title !== undefined && facts.filter(({ title }) => title === node.title).length > 1;
          if (isShared || nameOf(node) === '') continue;
          expect(findInput(workflow, `${nameOf(node)}.x`)).toMatchObject({ right: { nodeId: node.id } });
        }
      }),
    );
  });

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
