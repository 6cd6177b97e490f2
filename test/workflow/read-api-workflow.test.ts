import { describe, expect, it } from 'vitest';
import * as E from 'fp-ts/lib/Either.js';
import { readApiWorkflow } from '../../src/workflow/read-api-workflow.js';

const api = {
  '3': { class_type: 'KSampler', _meta: { title: 'Sampler' }, inputs: { seed: 5, model: ['4', 0] } },
  '12:7': { class_type: 'SaveImage', inputs: {}, is_changed: 'kept' },
};
const ui = { last_node_id: 2, nodes: [{ id: 1, type: 'KSampler' }], links: [], version: 0.4 };

const formatOf = (value: unknown) => {
  const result = readApiWorkflow(value);
  return E.isLeft(result) ? result.left.format : 'valid';
};

describe('readApiWorkflow', () => {
  it('takes the API format as it is', () => {
    const result = readApiWorkflow(api);
    expect(E.isRight(result) && result.right).toBe(api);
  });

  it.each([
    [{ prompt: api }],
    [{ prompt: api, client_id: 'x', extra_data: {} }],
    [{ output: api, workflow: ui }],
    [{ workflow: ui, prompt: api }],
    [{ workflow: api }],
  ])('opens a wrapper', (wrapper) => {
    const result = readApiWorkflow(wrapper);
    expect(E.isRight(result) && result.right).toBe(api);
  });

  it.each([
    [ui],
    [{ nodes: [], links: [], state: {}, version: 1 }],
    [{ nodes: [], last_node_id: 0 }],
    [{ nodes: [], state: {} }],
    [{ nodes: [{ id: 1, type: 'KSampler' }] }],
    [{ workflow: ui }],
    [{ prompt: ui, client_id: 'x' }],
  ])('knows the format of the editor, and says how to export the other: %j', (value) => {
    const result = readApiWorkflow(value);
    expect(result).toMatchObject({ left: { _tag: 'InvalidWorkflow', format: 'ui', retry: 'never' } });
    const { message, hint } = E.isLeft(result) ? result.left : { message: '', hint: '' };
    expect(message).toContain('not in API format');
    expect(hint).toContain('Export (API)');
    expect(hint).toContain('Save (API Format)');
  });

  it.each([
    [{}, 'empty'],
    [{ prompt: {} }, 'wrapper'],
    [{ prompt: 'text' }, 'wrapper'],
    [{ output: null, workflow: 3 }, 'wrapper'],
    [undefined, 'unknown'],
    [null, 'unknown'],
    ['{"3": {}}', 'unknown'],
    [[api], 'unknown'],
    [{ hello: 'backend' }, 'unknown'],
    [{ nodes: [] }, 'unknown'],
    [{ '3': { class_type: 7, inputs: {} } }, 'unknown'],
    [{ '3': { class_type: 'A', inputs: [] } }, 'unknown'],
    [{ '3': { class_type: 'A', inputs: null } }, 'unknown'],
    [{ ...api, version: 0.4 }, 'unknown'],
  ])('says what it takes %j for', (value, format) => {
    expect(formatOf(value)).toBe(format);
  });

  it('names the member that is no node', () => {
    expect(readApiWorkflow({ ...api, version: 0.4 })).toMatchObject({
      left: { message: 'The value is not a workflow in API format: version should be an object.' },
    });
    expect(readApiWorkflow({ ...api, '4': { inputs: {} } })).toMatchObject({
      left: { message: expect.stringContaining('4.class_type should be a string') as string },
    });
  });

  it('gives a node without inputs none, in a copy', () => {
    const given = { '1': { class_type: 'A' }, '2': { class_type: 'B', inputs: { x: 1 } } };
    expect(readApiWorkflow(given)).toEqual(
      E.right({ '1': { class_type: 'A', inputs: {} }, '2': { class_type: 'B', inputs: { x: 1 } } }),
    );
    expect(given['1']).toEqual({ class_type: 'A' });
  });

  it('takes nodes that are called like a wrapper, or anything else', () => {
    const node = { class_type: 'A', inputs: {} };
    expect(formatOf({ prompt: node, output: node })).toBe('valid');
    const text = '{"__proto__":{"class_type":"A","inputs":{}},"toString":{"class_type":"A","inputs":{}}}';
    const result = readApiWorkflow(JSON.parse(text));
    expect(E.isRight(result) && JSON.stringify(result.right)).toBe(text);
    const lacking = readApiWorkflow(JSON.parse('{"__proto__":{"class_type":"A"}}'));
    expect(E.isRight(lacking) && JSON.stringify(lacking.right)).toBe(
      '{"__proto__":{"class_type":"A","inputs":{}}}',
    );
  });
});
