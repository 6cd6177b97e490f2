import { describe, expect, it } from 'vitest';
import { define } from '../../../src/emulator/engine/define.js';

describe('define', () => {
  it('makes an old-style entry: flags only when true, hidden inputs as text', () => {
    const entry = define({
      name: 'Old',
      title: 'Old Node',
      category: 'a/b',
      required: { b: ['INT'], a: [['x', 'y']] },
      optional: { c: ['*'] },
      hidden: { prompt: 'PROMPT' },
      outputs: [{ type: 'IMAGE' }, { type: ['x', 'y'] }, { type: 'STRING', name: 'words', isList: true }],
      flags: { deprecated: true },
    });
    expect(entry).toEqual({
      input: {
        required: { b: ['INT'], a: [['x', 'y']] },
        optional: { c: ['*'] },
        hidden: { prompt: 'PROMPT' },
      },
      input_order: { required: ['b', 'a'], optional: ['c'], hidden: ['prompt'] },
      output: ['IMAGE', ['x', 'y'], 'STRING'],
      output_is_list: [false, false, true],
      output_name: ['IMAGE', 'COMBO', 'words'],
      name: 'Old',
      display_name: 'Old Node',
      description: '',
      python_module: 'nodes',
      category: 'a/b',
      output_node: false,
      deprecated: true,
    });
  });

  it('makes a new-style entry: all flags, hidden inputs in arrays, no name to show', () => {
    const entry = define({
      name: 'New',
      category: 'a',
      style: 'new',
      hidden: { id: 'UNIQUE_ID' },
      flags: { api_node: true },
    });
    expect(entry).toMatchObject({
      input: { required: {}, hidden: { id: ['UNIQUE_ID'] } },
      is_input_list: false,
      output_tooltips: [],
      output_matchtypes: null,
      display_name: null,
      deprecated: false,
      experimental: false,
      dev_only: false,
      api_node: true,
      price_badge: null,
    });
  });

  it('lists tooltips of an old-style entry only where one is declared', () => {
    const outputs = [{ type: 'A', tooltip: 'first' }, { type: 'B' }];
    expect(define({ name: 'N', category: 'a', outputs })['output_tooltips']).toEqual(['first', null]);
    expect(define({ name: 'N', category: 'a', outputs: [{ type: 'B' }] })).not.toHaveProperty(
      'output_tooltips',
    );
  });
});
