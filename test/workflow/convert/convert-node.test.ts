import { describe, expect, it } from 'vitest';
import { type NodeDefinitions, toApiWorkflow } from '../../../src/workflow.js';

const settings = { random: () => 0, now: new Date(2026, 2, 4, 5, 6, 7) };
const converted = (node: object, known?: NodeDefinitions, others: readonly object[] = []) => {
  const links = others.length === 0 ? [] : [[1, 2, 0, 1, 0, 'X']];
  const file = { nodes: [{ id: 1, type: 'A', ...node }, ...others], links, version: 0.4 };
  return toApiWorkflow(file, known, settings);
};
const inputsOf = (...given: Parameters<typeof converted>) => converted(...given).workflow?.['1']?.inputs;
const classes = (required: object, name = 'A'): NodeDefinitions => ({
  [name]: { input: { required }, output: [], output_node: true },
});

describe('a node with a definition', () => {
  it('keeps a number where texts with choices are worked out', () => {
    const known = classes({ x: ['STRING', { dynamicPrompts: true }] });
    expect(inputsOf({ widgets_values: [7] }, known)).toEqual({ x: 7 });
    expect(inputsOf({ widgets_values: ['{a|b}'] }, known)).toEqual({ x: 'a' });
  });

  it('has the name of its files alone filled in, where it saves some', () => {
    const known = classes({ filename_prefix: ['STRING', {}], note: ['STRING', {}] }, 'SaveImage');
    const node = { type: 'SaveImage', widgets_values: ['%date:yyyy%', '%date:yyyy%'] };
    expect(inputsOf(node, known)).toEqual({ filename_prefix: '2026', note: '%date:yyyy%' });
  });

  it('has no input of a socket without a name', () => {
    const source = { id: 2, type: 'S', outputs: [{ name: 'X', type: 'X', links: [1] }] };
    const known = { ...classes({}), S: { input: {}, output: ['X'] } };
    const linked = (socket: object) =>
      inputsOf({ inputs: [{ type: 'X', link: 1, ...socket }] }, known, [source]);
    expect(linked({ name: 'a' })).toEqual({ a: ['2', 0] });
    expect(linked({})).toEqual({});
  });

  it('is told how many of its values it does not send', () => {
    const known = classes({ x: ['INT', {}] });
    const saidOf = (values: readonly unknown[]) =>
      converted({ widgets_values: values }, known).problems.map(({ type, message }) => [
        ...[type, /has (?:\d+|one) values?/u.exec(message)?.[0]],
      ]);
    expect([saidOf([1]), saidOf([1, 'more'])]).toEqual([[], [['unused_values', expect.any(String)]]]);
  });
});

describe('a node without a definition', () => {
  const sockets = [{ name: 'n', type: 'INT', link: null, widget: { name: 'n' } }];

  it('is refused for a single value that nothing names, and says how many there are', () => {
    const messageOf = (values: readonly unknown[]) =>
      converted({ widgets_values: values }).problems[0]?.message;
    expect(messageOf(['x'])).toMatch(/ value that only the definition of its class can name\./u);
    expect(messageOf(['x', 'y'])).toMatch(/ values that only the definition of its class can name\./u);
    expect(converted({ widgets_values: ['x'] }).workflow).toBeUndefined();
  });

  it('is warned of where its sockets name its values, and not where it has none', () => {
    expect(converted({ widgets_values: [5], inputs: sockets }).problems).toMatchObject([
      {
        type: 'guessed_names',
        message: expect.stringMatching(/its sockets in the file name its .*value\.$/u) as string,
      },
    ]);
    expect(converted({ widgets_values: [] }).problems).toEqual([]);
  });
});
