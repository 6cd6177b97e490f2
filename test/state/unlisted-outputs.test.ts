import { describe, expect, it } from 'vitest';
import { elementCount, fileCount, unlistedOutputs } from '../../src/core/state/unlisted-outputs.js';
import type { Outputs } from '../../src/core/state/outputs.js';

const file = (filename: string, more: object = {}) => ({ filename, subfolder: '', type: 'output', ...more });
const [a, b, c] = [file('a.png'), file('b.png'), file('c.png')];

describe('unlistedOutputs', () => {
  it('leaves the files that the same node does not list, and data', () => {
    const reported: Outputs = { '1': { images: [a, b, 'x'], text: ['y'], n: 7 }, '2': { images: [a] } };
    expect(unlistedOutputs(reported, { '1': { images: [a] } })).toEqual({
      '1': { images: [b, 'x'], text: ['y'], n: 7 },
      '2': { images: [a] },
    });
  });

  it('finds a file under any key', () => {
    expect(unlistedOutputs({ '1': { images: [a], gifs: [b, c] } }, { '1': { result: [b, a] } })).toEqual({
      '1': { images: [], gifs: [c] },
    });
  });

  it('takes files off several nodes', () => {
    const reported: Outputs = { '1': { images: [a, b] }, '2': { images: [b, c] }, '3': { images: [c] } };
    expect(unlistedOutputs(reported, { '1': { images: [a] }, '2': { images: [c] } })).toEqual({
      '1': { images: [b] },
      '2': { images: [b] },
      '3': { images: [c] },
    });
  });

  it.each([{ subfolder: 's' }, { type: 'temp' }, { filename: 'A.png' }])(
    'distinguishes %j from a.png',
    (more) => {
      const reported: Outputs = { '1': { images: [a] } };
      expect(unlistedOutputs(reported, { '1': { images: [{ ...a, ...more }] } })).toBe(reported);
    },
  );

  it.each([
    ['nothing', {}],
    ['another node', { '2': { images: [a, b] } }],
    ['data alone', { '1': { images: ['x', {}], text: 'a.png' } }],
    ['other files', { '1': { images: [c] } }],
    ['no arrays', { '1': { images: a, gifs: null } }],
  ] as const)('gives the same object where %s is listed', (_, listed) => {
    const reported: Outputs = { '1': { images: [a, b], text: 'x' }, '3': {} };
    expect(unlistedOutputs(reported, listed)).toBe(reported);
  });

  it('shares the nodes that stay, and writes to neither source', () => {
    const reported: Outputs = Object.freeze({
      '1': Object.freeze({ images: Object.freeze([a, b]), gifs: Object.freeze([a]) }),
      '2': Object.freeze({ images: Object.freeze([c]) }),
    });
    const rest = unlistedOutputs(reported, { '1': { images: [a] } });
    expect(rest).toEqual({ '1': { images: [b], gifs: [] }, '2': { images: [c] } });
    expect(rest['2']).toBe(reported['2']);
    expect([Object.getPrototypeOf(rest), Object.getPrototypeOf(rest['1'])]).toEqual([null, null]);
  });

  it('takes any node id', () => {
    const reported: Outputs = { constructor: { images: [a] } };
    expect(unlistedOutputs(reported, {})).toBe(reported);
  });
});

describe('fileCount', () => {
  it('counts a file that a node names twice once, and one of two nodes twice', () => {
    expect(
      fileCount({ '1': { images: [a, a, b], gifs: [b, 'x', {}], text: 'a.png' }, '2': { images: [a] } }),
    ).toBe(3);
    expect(fileCount({})).toBe(0);
  });
});

describe('elementCount', () => {
  it('counts files and data, but for what says that pictures move', () => {
    const outputs = {
      '1': { images: [a, a], animated: [true] },
      '2': { text: ['x'], n: 7, one: a },
      '3': {},
    };
    expect(elementCount(outputs)).toBe(3);
    expect(elementCount({})).toBe(0);
  });
});
