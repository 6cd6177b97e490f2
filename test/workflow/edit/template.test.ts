import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { definitions } from '../validate/definitions.js';
import type { NodeDefinitions } from '../../../src/workflow/definitions.js';
import type { Either } from '../../../src/core/protocol/either.js';
import { type InvalidInputs, template } from '../../../src/workflow/edit/template.js';
import type { TemplateTargets } from '../../../src/workflow/edit/template-types.js';
import type { Workflow } from '../../../src/core/protocol/workflow.js';
import { runs } from '../../helpers/runs.js';

const workflow: Workflow = {
  '1': { class_type: 'Loader', inputs: { ckpt_name: 'base.safetensors' } },
  '2': { class_type: 'Text', inputs: { text: 'a cat', clip: ['1', 1] }, _meta: { title: 'Positive' } },
  '3': {
    class_type: 'Sampler',
    inputs: { seed: 7, steps: 20, cfg: 8, sampler_name: 'euler', model: ['1', 0], positive: ['2', 0] },
  },
  '4': { class_type: 'Sink', inputs: { image: ['3', 0] } },
  '5': { class_type: 'LoadImage', inputs: { image: 'a.png' } },
  '6': { class_type: 'Gone', inputs: { strength: 1, mode: 'fast', on: true, at: ['5', 0] } },
};

const made = <const Targets extends TemplateTargets>(
  targets: Targets,
  by: NodeDefinitions | undefined = definitions,
) => {
  const result = template(workflow, targets, by);
  if (result._tag === 'Left') throw result.left;
  return result.right;
};

/** An independent validator; it looks at own members only, as JSON has no others. */
const ajv = new Ajv2020({ strict: true, strictTypes: false, ownProperties: true });

/** Whether the JSON Schema, as a service sends it, accepts a value. */
const acceptedBySchema = (schema: unknown, value: unknown): boolean =>
  ajv.compile(JSON.parse(JSON.stringify(schema)) as object)(value);

describe('template', () => {
  it('sets what it names', () => {
    const make = made({ prompt: 'Positive.text', seed: { class: 'Sampler', input: 'seed' } });
    expect(make({ prompt: 'a dog', seed: 5 })).toEqual({
      _tag: 'Right',
      right: {
        ...workflow,
        '2': { ...workflow['2'], inputs: { text: 'a dog', clip: ['1', 1] } },
        '3': { ...workflow['3'], inputs: { ...workflow['3']?.inputs, seed: 5 } },
      },
    });
  });

  it('names all that is wrong with its inputs', () => {
    const make = made({
      prompt: 'Positive.text',
      seed: 'Sampler.seed',
      cfg: '3.cfg',
      name: '3.sampler_name',
      steps: '3.steps',
    });
    expect(make({ prompt: 1, cfg: 31, name: 'eular', steps: 0, sede: 4 } as never)).toMatchObject({
      left: {
        _tag: 'InvalidInputs',
        message: 'prompt takes a text, not 1. (and 5 more)',
        problems: [
          {
            name: 'prompt',
            nodeId: '2',
            input: 'text',
            type: 'invalid_input_type',
            message: 'prompt takes a text, not 1.',
          },
          { name: 'seed', type: 'required_input_missing', fix: 7 },
          { name: 'cfg', type: 'value_bigger_than_max', fix: 30 },
          { name: 'name', type: 'value_not_in_list', suggestion: 'euler' },
          { name: 'steps', type: 'value_smaller_than_min', fix: 1 },
          { name: 'sede', type: 'unknown_input', suggestion: 'seed' },
        ],
      },
    });
    for (const inputs of [null, [], 'x', 1, undefined])
      expect(make(inputs as never)).toMatchObject({
        left: { problems: [{ name: '', type: 'invalid_input_type' }] },
      });
  });

  it('suggests another name for the first ten that are unknown', () => {
    const make = made({ seed: 'Sampler.seed' });
    const wrong = Object.fromEntries(Array.from({ length: 12 }, (_, nth) => [`seed${nth}`, 1]));
    const result = make(wrong as never);
    if (result._tag === 'Right') throw new Error('taken');
    const unknown = result.left.problems.filter(({ type }) => type === 'unknown_input');
    expect(unknown.map(({ suggestion }) => suggestion)).toEqual([
      ...[...Array<string>(10).fill('seed'), undefined, undefined],
    ]);
  });

  it('is Left for a target that is no input', () => {
    expect(template(workflow, { prompt: 'Positive.txt' }, definitions)).toMatchObject({
      left: { _tag: 'UnknownInput' },
    });
    expect(template(workflow, { prompt: 'Negative.text' })).toMatchObject({ left: { _tag: 'UnknownNode' } });
  });

  it('lets a call leave out what is optional', () => {
    const make = made({ prompt: 'Positive.text', seed: { id: '3', input: 'seed', optional: true } });
    expect(make({ prompt: 'a dog' })).toMatchObject({
      right: { '2': { inputs: { text: 'a dog' } }, '3': { inputs: { seed: 7 } } },
    });
    expect(make.jsonSchema['required']).toEqual(['prompt']);
  });

  it('never makes a link of a list', () => {
    const make = made({ any: '6.at' }, undefined);
    expect(make({ any: ['1', 0] })).toMatchObject({
      right: { '6': { inputs: { at: { __value__: ['1', 0] } } } },
    });
  });

  it('takes the largest seed exactly, and no larger one', () => {
    const make = made({ seed: 'Sampler.seed' });
    expect(make({ seed: 2n ** 64n - 1n })).toMatchObject({
      right: { '3': { inputs: { seed: 2n ** 64n - 1n } } },
    });
    for (const seed of [2n ** 64n, 2 ** 64, -1, 0.5]) expect(make({ seed })._tag).toBe('Left');
    expect(make.jsonSchema).toMatchObject({ properties: { seed: { maximum: 18446744073709549568 } } });
  });

  it('takes a file that the server does not list, since a form uploads new ones', () => {
    const make = made({ picture: 'LoadImage.image' });
    expect(make({ picture: 'mine.png' })._tag).toBe('Right');
    const picture = { __type: 'core/ASSET', info: { id: 'a1' } };
    expect(make({ picture })).toMatchObject({ right: { '5': { inputs: { image: picture } } } });
    for (const one of [picture, { ...picture, info: {} }, { info: picture.info }, 1])
      expect(acceptedBySchema(make.jsonSchema, { picture: one })).toBe(
        make({ picture: one })._tag === 'Right',
      );
    expect(make.jsonSchema).toMatchObject({
      properties: {
        picture: { anyOf: [{ type: 'string' }, { type: 'object' }], examples: ['a.png', 'b.png'] },
      },
    });
  });

  it('goes by the values of the workflow where there are no definitions', () => {
    const make = made({ strength: '6.strength', mode: '6.mode', on: '6.on', fresh: '6.fresh' }, undefined);
    expect(make({ strength: 0.5, mode: 'slow', on: false, fresh: { a: 1 } })._tag).toBe('Right');
    const wrong = make({ strength: '1', mode: 1, on: 'yes', fresh: null });
    expect(wrong).toMatchObject({
      left: { problems: [{ name: 'strength' }, { name: 'mode' }, { name: 'on' }] },
    });
  });

  it('describes its inputs as plain data', () => {
    const { fields, jsonSchema } = made({
      prompt: 'Positive.text',
      name: '3.sampler_name',
      tags: 'Sink.tags',
    });
    expect(JSON.parse(JSON.stringify(fields))).toEqual(fields);
    expect(fields).toMatchObject([
      {
        key: 'prompt',
        optional: false,
        order: 0,
        control: 'text',
        multiline: true,
        value: 'a cat',
        title: 'Positive',
      },
      { key: 'name', order: 1, control: 'choice', choices: ['euler', 'heun'], default: 'euler' },
      { key: 'tags', order: 2, control: 'choices', required: false },
    ]);
    expect(jsonSchema).toEqual({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        prompt: { type: 'string', title: 'Positive: text', default: 'a cat' },
        name: { enum: ['euler', 'heun'], title: 'Sampler: sampler_name', default: 'euler' },
        tags: { type: 'array', items: { enum: ['r', 'g', 'b'] }, title: 'Sink: tags' },
      },
      required: ['prompt', 'name', 'tags'],
      additionalProperties: false,
    });
  });
});

describe('the laws of a template', () => {
  const played = { numRuns: runs(100) };
  /** More runs than usual take their time. */
  const patience = 30_000 + played.numRuns * 100;
  const number = fc.oneof(
    fc.integer({ min: -3, max: 60 }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(0.5, -0, 2 ** 53, 2 ** 64, 2 ** 64 - 2048, 1e300, -(2 ** 64)),
  );
  const choice = fc.oneof(
    fc.constantFrom('a', 'b', 'É', 'true', ''),
    fc.integer({ min: 0, max: 3 }),
    fc.boolean(),
    fc.constant(2.5),
  );
  const bound = fc.option(fc.oneof(number, fc.constantFrom(0, 1, 2 ** 64, -(2 ** 64))), { nil: undefined });
  const bounds = fc.record({
    min: bound,
    max: bound,
    default: fc.option(fc.jsonValue(), { nil: undefined }),
  });
  const spec: fc.Arbitrary<readonly unknown[]> = fc.oneof(
    fc.tuple(
      fc.constantFrom('INT', 'FLOAT', 'STRING', 'BOOLEAN', 'MODEL', '*', 'COLOR', 'INT,FLOAT'),
      bounds,
    ),
    fc.tuple(fc.array(choice, { maxLength: 12 }), bounds),
    fc.tuple(fc.constant('COMBO'), fc.record({ options: fc.array(choice), multiselect: fc.boolean() })),
    fc.constantFrom(['COMBO', { remote: { route: '/x' } }], [['a.png'], { image_upload: true }]),
  );
  const value = fc.oneof(
    { arbitrary: number, weight: 3 },
    { arbitrary: choice, weight: 3 },
    { arbitrary: fc.array(choice, { maxLength: 3 }), weight: 1 },
    {
      arbitrary: fc.constantFrom(
        { __type: 'core/ASSET', info: { id: 'a' } },
        { __type: 'core/ASSET', info: {} },
      ),
      weight: 1,
    },
    { arbitrary: fc.jsonValue(), weight: 1 },
  );
  const names = fc.constantFrom('a', 'b', 'c', 'd.e', 'prompt', 'constructor', 'toString');
  const graphs = fc.record({
    specs: fc.dictionary(names, spec, { minKeys: 1 }),
    has: fc.dictionary(names, value),
    knows: fc.boolean(),
  });
  /** A class with these inputs, a node of it between two others, and a template of all its inputs. */
  const templateOf = ({
    specs,
    has,
    knows,
  }: {
    specs: Record<string, readonly unknown[]>;
    has: object;
    knows: boolean;
  }) => {
    const graph: Workflow = {
      '1': { class_type: 'Loader', inputs: {} },
      x: { class_type: 'Any', inputs: { ...has, linked: ['1', 0] } },
      '2': { class_type: 'Text', inputs: { text: 'a' } },
    };
    const targets = Object.fromEntries(
      Object.keys(specs).map((input, at) => [
        input,
        { id: 'x', input, ...(at % 3 === 2 && { optional: true }) },
      ]),
    );
    const known = { Any: { input: { required: specs }, output: [] } };
    const result = template(graph, targets, knows ? known : undefined);
    if (result._tag === 'Left') throw result.left;
    return {
      graph,
      make: result.right as (inputs: unknown) => Either<InvalidInputs, Workflow>,
      schema: result.right.jsonSchema,
    };
  };

  /** A value that an input of this specification may well take. */
  const likely = ([type, options]: readonly unknown[]): unknown => {
    if (Array.isArray(type)) return (type as readonly unknown[])[0] ?? 'a.png';
    const { min = 1, options: list = [] } = options as { min?: number; options?: readonly unknown[] };
    return type === 'BOOLEAN'
      ? true
      : type === 'INT' || type === 'FLOAT'
        ? min
        : type === 'COMBO'
          ? (list[0] ?? 'x')
          : 'a';
  };

  /** What the function says of inputs, which its JSON Schema has to say as well. */
  const verdictOfBoth = (parts: Parameters<typeof templateOf>[0], given: object): boolean => {
    const { make, schema } = templateOf(parts);
    const inputs: unknown = JSON.parse(JSON.stringify(given));
    const isAccepted = make(inputs)._tag === 'Right';
    expect(acceptedBySchema(schema, inputs)).toBe(isAccepted);
    return isAccepted;
  };

  it(
    'its JSON Schema accepts and refuses the same values as the function',
    () => {
      const verdicts = new Set<boolean>();
      fc.assert(
        fc.property(graphs, fc.dictionary(names, value), fc.boolean(), (parts, extra, isWhole) => {
          const whole = Object.fromEntries(
            Object.entries(parts.specs).map(([name, one]) => [name, likely(one)]),
          );
          verdicts.add(verdictOfBoth(parts, isWhole ? whole : { ...whole, ...extra }));
        }),
        played,
      );
      expect(verdicts.size).toBe(2);
    },
    patience,
  );

  it(
    'its JSON Schema judges each single value as the function does',
    () => {
      const verdicts = new Set<boolean>();
      fc.assert(
        fc.property(spec, value, fc.boolean(), (one, given, knows) => {
          verdicts.add(verdictOfBoth({ specs: { a: one }, has: {}, knows }, { a: given }));
        }),
        played,
      );
      expect(verdicts.size).toBe(2);
    },
    patience,
  );

  it(
    'fills exactly the inputs that it names',
    () => {
      fc.assert(
        fc.property(graphs, fc.dictionary(names, value, { minKeys: 1 }), (parts, inputs) => {
          const anything = Object.fromEntries(Object.keys(inputs).map((name) => [name, ['*']]));
          const { graph, make } = templateOf({ ...parts, specs: anything, knows: true });
          const before = structuredClone(graph);
          const filled = make(inputs);
          if (filled._tag === 'Left') throw filled.left;
          expect(graph).toEqual(before);
          expect(Object.keys(filled.right)).toEqual(Object.keys(graph));
          expect(filled.right['1']).toBe(graph['1']);
          expect(filled.right['2']).toBe(graph['2']);
          const literals = Object.entries(inputs).map(([name, one]) => [
            name,
            Array.isArray(one) ? { __value__: one } : one,
          ]);
          expect(filled.right['x']).toEqual({
            class_type: 'Any',
            inputs: { ...before['x']?.inputs, ...(Object.fromEntries(literals) as object) },
          });
        }),
        played,
      );
    },
    patience,
  );
});

describe('M9: a template of a class of another package', () => {
  const foreign = {
    ...definitions,
    Sampler: { ...(definitions['Sampler'] as object), python_module: 'custom_nodes.a-pack' },
  };
  const make = made({ steps: '3.steps', sampler: '3.sampler_name', file: '1.ckpt_name' }, foreign);
  const right = { steps: 20, sampler: 'euler', file: 'base.safetensors' };

  it.each([
    ['steps', -7],
    ['steps', 1_000_000],
    ['sampler', 'of-the-pack'],
  ])('takes %s: %j, beyond bounds and lists, in the function and by the schema', (key, value) => {
    const inputs = { ...right, [key]: value };
    expect(make(inputs)._tag).toBe('Right');
    expect(acceptedBySchema(make.jsonSchema, inputs)).toBe(true);
    const own = made({ steps: '3.steps', sampler: '3.sampler_name', file: '1.ckpt_name' });
    expect([own(inputs)._tag, acceptedBySchema(own.jsonSchema, inputs)]).toEqual(['Left', false]);
  });

  it.each([
    ['steps', 'many'],
    ['steps', 1.5],
    ['sampler', 5],
    ['file', 'none.safetensors'],
  ])('refuses %s: %j: types, and what is of the engine', (key, value) => {
    const inputs = { ...right, [key]: value };
    expect([make(inputs)._tag, acceptedBySchema(make.jsonSchema, inputs)]).toEqual(['Left', false]);
  });

  it('shows the list and the bounds to a form, and says that only the service can tell', () => {
    const [steps, sampler, file] = make.fields;
    expect([steps?.serverOnly, sampler?.serverOnly, file?.serverOnly]).toEqual([true, true, undefined]);
    expect(steps?.min).toBe(1);
    expect(sampler?.choices).toContain('euler');
    const { properties } = make.jsonSchema as { properties: Record<string, object> };
    expect(properties['sampler']).toMatchObject({ type: 'string', examples: sampler?.choices });
  });
});
