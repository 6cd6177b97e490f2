import { describe, expect, it } from 'vitest';
import { displayNodes } from '../../src/cli/commands/outputs.js';

describe('displayNodes', () => {
  it('reads which node of the workflow each node of a record belongs to', () => {
    const meta = { '5.0.1': { node_id: '5.0.1', display_node: '5' }, 9: { display_node: '9' } };
    expect(displayNodes({ record: { meta } })).toEqual({
      '5.0.1': { displayNodeId: '5' },
      9: { displayNodeId: '9' },
    });
  });

  it.each([{}, { meta: null }, { meta: 'x' }, { meta: { 1: null, 2: {}, 3: { display_node: 3 } } }])(
    'takes %j for a record without it',
    (record) => {
      expect(displayNodes({ record })).toEqual({});
    },
  );
});
