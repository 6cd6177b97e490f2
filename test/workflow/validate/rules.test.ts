import { describe, expect, it } from 'vitest';
import { applyFixes } from '../../../src/workflow/validate/apply-fixes.js';
import type { NodeDefinitions } from '../../../src/workflow/definitions.js';
import { validateWorkflow } from '../../../src/workflow/validate/validate-workflow.js';
import { verdictOf } from '../../../src/workflow/validate/verdict-of.js';
import type { Workflow } from '../../../src/core/protocol/workflow.js';

type Specs = Readonly<Record<string, unknown>>;
type Rules = '0.3.64' | '2026';

const optional = (specs: Specs) => ({ input: { optional: specs }, output: [], output_node: true });

/** Checks the inputs of one output node whose class declares these optional inputs. */
const check = (specs: Specs, inputs: unknown, { rules, outputs = [] }: Options = {}) => {
  const definitions: NodeDefinitions = {
    Out: optional(specs),
    Source: { input: {}, output: outputs },
  };
  const workflow = {
    s: { class_type: 'Out', inputs },
    t: { class_type: 'Source', inputs: {} },
  } as unknown as Workflow;
  const find = (of: Workflow) =>
    validateWorkflow(of, definitions, { rules }).filter(({ type }) => type !== 'unreachable_node');
  const problems = find(workflow);
  const fixed = applyFixes(workflow, problems);
  return {
    types: problems.map(({ type }) => type),
    errors: problems.filter(({ severity }) => severity === 'error').map(({ type }) => type),
    verdict: verdictOf(workflow, definitions, problems),
    fixes: problems.map(({ fix }) => fix),
    fixed: fixed['s']?.inputs,
    left: find(fixed).map(({ type }) => type),
  };
};

interface Options {
  readonly rules?: Rules;
  readonly outputs?: readonly unknown[];
}

describe('the specs of a class', () => {
  it.each([
    [{}],
    [{ required: ['x'], optional: ['x'] }],
    [{ required: [], optional: ['x'] }],
    [{ optional: ['x'] }],
  ])('of a name in both groups are those of the required one, in the order %j', (input_order) => {
    const Both = {
      input: { required: { x: ['INT', { max: 5 }] }, optional: { x: ['STRING'] } },
      input_order,
      output: [],
      output_node: true,
    };
    const typesOf = (inputs: object) =>
      validateWorkflow({ b: { class_type: 'Both', inputs } }, { Both }).map(({ type }) => type);
    expect(typesOf({})).toEqual(['required_input_missing']);
    expect(typesOf({ x: 6 })).toEqual(['value_bigger_than_max']);
  });

  it.each([['INT,FLOAT'], ['int'], ['INT '], ['FLOAT,INT'], ['BOOL']])(
    'of type %j are not converted, as only the exact text INT, FLOAT, STRING or BOOLEAN is',
    (type) => {
      expect(check({ x: [type] }, { x: 'abc' }).types).toEqual([]);
    },
  );

  it('may lack options, the whole input or a group', () => {
    expect(check({ x: ['INT'] }, { x: 10 ** 15 }).types).toEqual([]);
    const bare = { Bare: { output: [], output_node: true } };
    expect(validateWorkflow({ a: { class_type: 'Bare', inputs: {} } }, bare)).toEqual([]);
  });

  it('are not checked for step, round and default', () => {
    const spec = ['FLOAT', { min: 0, max: 10, step: 0.5, round: 0.1, default: 99 }];
    expect(check({ x: spec }, { x: 0.123 }).types).toEqual([]);
    expect(check({ x: ['INT', { step: 8, default: 512 }] }, { x: 7 }).types).toEqual([]);
  });
});

describe('a wrapped value', () => {
  it.each([
    ['INT', { __value__: '7' }, ['value_coerced']],
    ['INT', { __value__: { __value__: 7 } }, ['invalid_input_type']],
    ['INT', { __value__: 7, more: 1 }, []],
    ['INT', { __value__: [7] }, ['invalid_input_type']],
    ['BOOLEAN', { __value__: [] }, ['value_coerced']],
    ['IMAGE', { __value__: ['gone', 0] }, ['literal_for_link']],
    [['a', 'b'], { __value__: 'a' }, []],
    [['a', 'b'], { __value__: ['a'] }, ['value_not_in_list']],
  ])('of type %j as %j is unwrapped once', (type, value, types) => {
    expect(check({ x: [type] }, { x: value }).types).toEqual(types);
  });
});

describe('bounds', () => {
  it.each([
    ['INT', 5.9, []],
    ['INT', -0.9, []],
    ['INT', '6', ['value_bigger_than_max']],
    ['FLOAT', 5.000001, ['value_bigger_than_max']],
    ['FLOAT', 'nan', []],
    ['FLOAT', '-inf', ['value_smaller_than_min']],
    ['BOOLEAN', 'any', []],
    ['STRING', 5, ['exception_during_validation']],
    ['COMBO', 6, ['value_bigger_than_max']],
    ['COMBO', '3', ['exception_during_validation']],
    ['*', {}, ['exception_during_validation']],
    [['a', 'b'], 'a', ['exception_during_validation']],
    [[1, 9], 9, ['value_bigger_than_max']],
  ])('of type %j hold for %j after its conversion', (type, value, errors) => {
    expect(check({ x: [type, { min: 0, max: 5 }] }, { x: value }).errors).toEqual(errors);
  });

  it('that are null can not be compared', () => {
    expect(check({ x: ['INT', { min: null }] }, { x: 1 }).errors).toEqual(['exception_during_validation']);
  });

  // A definition that was parsed has 2^63 - 1 as 2^63.
  it.each([
    ['9223372036854775807', []],
    ['9223372036854775808', ['value_bigger_than_max']],
    [2n ** 63n, ['value_bigger_than_max']],
    [2 ** 63, []],
    ['-9223372036854775807', []],
    ['-9223372036854775808', ['value_smaller_than_min']],
    [2 ** 64, ['value_bigger_than_max']],
  ])('of 63 bits hold for %s exactly', (value, errors) => {
    expect(check({ x: ['INT', { min: -(2 ** 63), max: 2 ** 63 }] }, { x: value }).errors).toEqual(errors);
  });

  it.each([
    ['INT', 9, 5],
    ['FLOAT', -9, 0],
    ['BOOLEAN', false, true],
  ])('of type %s give a value that is right for %j', (type, value, right) => {
    const bounds = type === 'BOOLEAN' ? { min: 1 } : { min: 0, max: 5 };
    const { fixed, left } = check({ x: [type, bounds] }, { x: value });
    expect([fixed, left]).toEqual([{ x: right }, []]);
  });

  it('give no value where the default bounds contradict each other', () => {
    expect(check({ x: ['INT', { min: 5, max: 1 }] }, { x: 0 }).fixes).toEqual([undefined]);
  });
});

describe('a list', () => {
  const several = { options: ['r', 'g'], multiselect: true };

  it.each<[Rules, unknown, readonly string[]]>([
    ['0.3.64', 'z', []],
    ['0.3.64', 7, []],
    ['0.3.64', null, []],
    ['0.3.64', {}, []],
    ['2026', 'z', ['value_not_in_list']],
    ['2026', null, ['value_not_in_list']],
    ['2026', { __value__: ['r', 'g'] }, []],
    ['2026', { __value__: ['r', 'z'] }, ['value_not_in_list']],
    ['2026', { __value__: [] }, []],
    ['2026', 'r', []],
  ])('of the newer form is checked by the rules of %s for %j', (rules, value, errors) => {
    expect(check({ x: ['COMBO', several] }, { x: value }, { rules }).errors).toEqual(errors);
  });

  it('of the newer form is one value where it takes one', () => {
    const one = { options: ['r', 'g'], multiselect: false };
    expect(check({ x: ['COMBO', one] }, { x: { __value__: ['r'] } }, { rules: '2026' }).errors).toEqual([
      'value_not_in_list',
    ]);
  });

  it.each([
    [{ __value__: ['R'] }, { __value__: ['r'] }],
    [{ __value__: ['R', 'g'] }, { __value__: ['r', 'g'] }],
    ['G', 'g'],
    [['r', 'g'], { __value__: ['r', 'g'] }],
  ])('of several values is repaired from %j', (value, right) => {
    const { fixed, left } = check({ x: ['COMBO', several] }, { x: value }, { rules: '2026' });
    expect([fixed, left]).toEqual([{ x: right }, []]);
  });

  it('of the older form takes one value, so that several are not wrapped', () => {
    const { fixes, types } = check({ x: [['a', 'b'], { multi_select: true }] }, { x: ['a', 'b'] });
    expect([types, fixes]).toEqual([['exception_during_validation'], [undefined]]);
  });

  it.each([
    [[1, 2.5], true, []],
    [[1, 2.5], '1', ['value_not_in_list']],
    [[false], 0, []],
    [['a', null], null, []],
    [['a'], 'a ', ['value_not_in_list']],
    [['a'], 'A', ['value_not_in_list']],
    [[], '', ['value_not_in_list']],
    [['nan'], NaN, ['value_not_in_list']],
  ])('of the older form %j is asked as Python does for %j', (list, value, errors) => {
    expect(check({ x: [list] }, { x: value }).errors).toEqual(errors);
  });
});

describe('a link', () => {
  it.each([
    ['INT,FLOAT', 'INT', true],
    ['INT', 'STRING,INT', true],
    ['INT, FLOAT', 'FLOAT ,STRING', true],
    ['INT', 'FLOAT', false],
    ['int', 'INT', false],
    ['INTEGER', 'INT', false],
    ['*', ['a'], true],
    [['a'], '*', true],
    ['COMFY_MATCHTYPE_V3', 'IMAGE', true],
    ['INT', 'COMFY_MATCHTYPE_V3', true],
    [['a', 'b'], ['a', 'b'], true],
    [['b', 'a'], ['a', 'b'], false],
    [['a'], ['a', 'b'], false],
    [['a', 'b'], 'COMBO', false],
    [['a', 'b'], 'STRING', false],
    ['STRING', ['a', 'b'], false],
    ['COMBO', ['a', 'b'], false],
    ['COMBO', 'COMBO', true],
  ])('from %j into %j passes: %j', (output, input, passes) => {
    const { errors } = check({ x: [input] }, { x: ['t', 0] }, { outputs: [output] });
    expect(errors).toEqual(passes ? [] : ['return_type_mismatch']);
  });

  it.each([
    [0, true],
    [-1, true],
    [-2, true],
    [true, true],
    [false, true],
    [2, false],
    [-3, false],
    [0.5, false],
    ['0', false],
    [null, false],
    [[0], false],
    [10n ** 30n, false],
    [Infinity, false],
  ])('to slot %s of two passes: %j', (slot, passes) => {
    const { errors } = check({ x: ['INT'] }, { x: ['t', slot] }, { outputs: ['INT', 'INT'] });
    expect(errors).toEqual(passes ? [] : ['exception_during_validation']);
  });

  it.each(['STRING', 'COMBO', '*', 'INT'])('is what every list of an input of type %s is', (type) => {
    expect(check({ x: [type] }, { x: [] }).errors).toEqual(['bad_linked_input']);
    expect(check({ x: [type] }, { x: ['r', 'g'] }).errors).toEqual(['exception_during_validation']);
  });
});

describe('inputs that the class does not declare', () => {
  it.each([[['gone', 0]], [null], [{}], [[]], ['any']])('are ignored as %j', (value) => {
    const { types, verdict } = check({}, { more: value });
    expect([types, verdict]).toEqual([['unknown_input'], 'accepted']);
  });
});

describe('a prompt', () => {
  const Out = optional({ x: ['INT'] });

  it.each(['', '5:3', '007', 'ü', '__proto__', 'constructor'])('has nodes of the id %j', (id) => {
    const workflow = Object.fromEntries([[id, { class_type: 'Out', inputs: { x: 'a' }, _meta: 5 }]]);
    expect(validateWorkflow(workflow, { Out })).toMatchObject([{ nodeId: id, type: 'invalid_input_type' }]);
  });

  it('is refused for the server fault of one node as for the unknown class of another', () => {
    for (const bad of [null, 5, true, ['class_type'], 'class_type', { class_type: [] }])
      expect(validateWorkflow({ a: bad, b: { class_type: 'Out', inputs: {} } }, { Out })).toMatchObject([
        { nodeId: 'a', type: 'server_error' },
      ]);
  });
});
