import assert from 'node:assert/strict';
import { expectStatus } from '../api.js';
import type { ConformanceCase } from '../conformance-case.js';
import { filledText, flag, isObject, list, object, text, texts } from '../shape.js';
import type { Target } from '../target.js';

const rows = ['endpoint:GET /api/object_info'];

/** Chapters 2.1 and 2.14: the node classes. */
export const objectInfoCases: readonly ConformanceCase[] = [
  {
    id: '2.1.1',
    rows,
    title: 'answers an object of definitions by class name',
    run: async (target) => {
      assert.ok((await definitions(target)).length > 0, 'there are classes');
    },
  },
  {
    id: '2.1.2',
    rows,
    title: 'a definition has its members',
    run: async (target) => {
      for (const [name, node] of await definitions(target)) assertMembers(name, node);
    },
  },
  {
    id: '2.1.3',
    rows,
    title: 'an input is a type with or without options',
    run: async (target) => {
      for (const [place, spec] of inputs(await definitions(target))) {
        assert.ok(spec.length === 1 || spec.length === 2, `${place} has one or two entries`);
        if (typeof spec[0] !== 'string') assertValues(spec[0], place);
        if (spec.length === 2) object(spec[1], `options of ${place}`);
      }
    },
  },
  {
    id: '2.1.4',
    rows,
    title: 'input_order repeats the names',
    run: async (target) => {
      for (const [name, node] of await definitions(target)) {
        if (node['input_order'] === undefined) continue;
        const order = object(node['input_order'], `input_order of ${name}`);
        const input = object(node['input'], `input of ${name}`);
        for (const [group, names] of Object.entries(order)) {
          const known = Object.keys(object(input[group] ?? {}, `${group} of ${name}`));
          assert.deepEqual([...texts(names, `${group} of ${name}`)].sort(), known.sort());
        }
      }
    },
  },
  {
    id: '2.1.5',
    rows,
    title: 'hidden inputs are texts or lists with one text',
    run: async (target) => {
      for (const [name, node] of await definitions(target)) {
        const hidden = object(object(node['input'], name)['hidden'] ?? {}, `hidden of ${name}`);
        for (const [input, value] of Object.entries(hidden)) {
          const place = `${name}.${input}`;
          if (Array.isArray(value)) assert.equal(texts(value, place).length, 1, `${place} has one entry`);
          else text(value, place);
        }
      }
    },
  },
  {
    id: '2.1.6',
    rows,
    title: 'a choice is a list of values or a COMBO with options',
    run: async (target) => {
      const choices = inputs(await definitions(target)).filter(
        ([, [type]]) => typeof type !== 'string' || type === 'COMBO',
      );
      assert.ok(choices.length > 0, 'there are choices');
      for (const [place, [type, options]] of choices) {
        if (type !== 'COMBO') assertValues(type, place);
        else if (!isObject(options) || options['remote'] === undefined) {
          assertValues(object(options, `options of ${place}`)['options'], place);
        }
      }
    },
  },
  {
    id: '2.1.7',
    rows,
    title: 'there is an output node',
    run: async (target) => {
      const nodes = await definitions(target);
      assert.ok(
        nodes.some(([, node]) => node['output_node'] === true),
        'a class has output_node true',
      );
    },
  },
  {
    id: '2.14.1',
    title: 'a node that is paid for says so, and gives its price as an expression or not at all',
    run: async (target) => {
      for (const [name, node] of await definitions(target)) {
        if (node['api_node'] !== undefined && node['api_node'] !== null) flag(node['api_node'], name);
        const { price_badge: badge } = node;
        if (badge === undefined || badge === null) continue;
        const { engine, expr, depends_on: depends } = object(badge, `price_badge of ${name}`);
        filledText(engine, `engine of ${name}`);
        filledText(expr, `expr of ${name}`);
        object(depends, `depends_on of ${name}`);
      }
    },
  },
  {
    id: '2.14.2',
    profiles: ['2026-11'],
    title: 'lists every class with the models of the caller as well',
    run: async (target) => {
      const query = { include_user_models: 'true' };
      const answer = await expectStatus(200, target, 'GET', '/api/object_info', { query });
      const all = object(answer.json(), 'the classes');
      for (const [name] of await definitions(target)) assert.ok(name in all, `${name} is among them`);
    },
  },
];

type Definition = readonly [name: string, node: Record<string, unknown>];

const definitions = async (target: Target): Promise<readonly Definition[]> => {
  const answer = await expectStatus(200, target, 'GET', '/api/object_info');
  return Object.entries(object(answer.json(), 'object_info')).map(([name, node]) => [
    name,
    object(node, name),
  ]);
};

const inputs = (
  nodes: readonly Definition[],
): readonly (readonly [place: string, spec: readonly unknown[]])[] =>
  nodes.flatMap(([name, node]) =>
    ['required', 'optional'].flatMap((group) =>
      Object.entries(object(object(node['input'], name)[group] ?? {}, `${group} of ${name}`)).map(
        ([input, spec]) => [`${name}.${input}`, list(spec, `${name}.${input}`)] as const,
      ),
    ),
  );

const assertMembers = (name: string, node: Record<string, unknown>): void => {
  assert.equal(node['name'], name, 'name is the class name');
  if (node['display_name'] !== null) text(node['display_name'], `display_name of ${name}`);
  text(node['description'], `description of ${name}`);
  text(node['category'], `category of ${name}`);
  filledText(node['python_module'], `python_module of ${name}`);
  for (const group of Object.keys(object(node['input'], `input of ${name}`))) {
    assert.ok(['required', 'optional', 'hidden'].includes(group), `${group} of ${name} is a known group`);
  }
  const output = list(node['output'], `output of ${name}`);
  for (const type of output) if (typeof type !== 'string') assertValues(type, `output of ${name}`);
  const isList = list(node['output_is_list'], `output_is_list of ${name}`);
  for (const entry of isList) flag(entry, `output_is_list of ${name}`);
  assert.equal(isList.length, output.length, `output_is_list of ${name} is as long as output`);
  const names = texts(node['output_name'], `output_name of ${name}`);
  assert.equal(names.length, output.length, `output_name of ${name} is as long as output`);
  flag(node['output_node'], `output_node of ${name}`);
};

const assertValues = (values: unknown, place: string): void => {
  for (const value of list(values, place)) {
    assert.ok(['string', 'number', 'boolean'].includes(typeof value), `${place} lists plain values`);
  }
};
