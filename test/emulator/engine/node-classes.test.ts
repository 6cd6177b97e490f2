import { describe, expect, it } from 'vitest';
import { parseExact, stringifyExact } from '../../../src/emulator/exact-json.js';
import { nodeClasses } from '../../../src/emulator/engine/node-classes.js';
import type { InputSpec, NodeDefinition } from '../../../src/emulator/engine/node-class.js';

const definitions = [...nodeClasses.values()].map((nodeClass) => nodeClass.definition({ inputs: ['a.png'] }));

const specs: readonly InputSpec[] = definitions.flatMap(({ input }) =>
  [input.required ?? {}, input.optional ?? {}].flatMap((section) => Object.values(section)),
);

const isNewStyle = (definition: NodeDefinition): boolean => 'is_input_list' in definition;

describe('nodeClasses', () => {
  it('has the nodes that the documents of the service name', () => {
    expect([...nodeClasses.keys()]).toEqual(
      expect.arrayContaining([
        'CheckpointLoaderSimple',
        'CLIPTextEncode',
        'EmptyLatentImage',
        'KSampler',
        'VAEDecode',
        'VAEEncode',
        'SaveImage',
        'PreviewImage',
        'LoadImage',
        'LoadImageMask',
        'ImageScale',
        'ImageInvert',
        'SaveImageWebsocket',
        'SaveVideo',
        'SaveAudio',
        'PreviewText',
        'PartnerImageNode',
        'FailOnPurpose',
        'BlockBranch',
        'SlowNode',
      ]),
    );
  });

  it('M11 names a package beside the engine for the classes that no engine has', () => {
    const own = [
      'SlowNode',
      'FailOnPurpose',
      'BlockBranch',
      'Passthrough',
      'PreviewText',
      'ToneAudio',
      'PanFrames',
    ];
    for (const { name, python_module: origin } of definitions) {
      if (own.includes(name)) expect(origin).toBe('custom_nodes.promptwire-emulator');
      expect(origin).toMatch(
        /^(?:nodes|comfy_(?:extras|api_nodes)\.nodes_(?!promptwire)\w+|custom_nodes\.[\w-]+)$/u,
      );
    }
  });

  it('keeps each class under its own name', () => {
    expect([...nodeClasses.keys()]).toEqual(definitions.map(({ name }) => name));
  });

  it.each(definitions.map((definition) => [definition.name, definition] as const))(
    '%s has every key of its style',
    (_, entry) => {
      const always = [
        'input',
        'input_order',
        'output',
        'output_is_list',
        'output_name',
        'name',
        'display_name',
      ];
      const alwaysToo = ['description', 'python_module', 'category', 'output_node'];
      const newStyle = [
        'output_tooltips',
        'output_matchtypes',
        'deprecated',
        'experimental',
        'dev_only',
        'api_node',
      ];
      expect(Object.keys(entry)).toEqual(
        expect.arrayContaining([...always, ...alwaysToo, ...(isNewStyle(entry) ? newStyle : [])]),
      );
      expect(entry.output_is_list).toHaveLength(entry.output.length);
      expect(entry.output_name).toHaveLength(entry.output.length);
      expect(entry.input_order).toEqual(
        Object.fromEntries(
          Object.entries(entry.input).map(([section, inputs]) => [section, Object.keys(inputs)]),
        ),
      );
      expect(entry.output_node || entry.output.length > 0).toBe(true);
      expect(parseExact(stringifyExact(entry))).toEqual(entry);
    },
  );

  it.each<[string, (spec: InputSpec) => boolean]>([
    ['an INT', ([type]) => type === 'INT'],
    ['a FLOAT', ([type]) => type === 'FLOAT'],
    ['a STRING', ([type]) => type === 'STRING'],
    ['a BOOLEAN', ([type]) => type === 'BOOLEAN'],
    ['a socket without options', (spec) => spec.length === 1 && spec[0] === 'IMAGE'],
    ['a socket with options', (spec) => spec.length === 2 && spec[0] === 'MODEL'],
    ['a wildcard', ([type]) => type === '*'],
    ['a lazy input', ([, options]) => options?.['lazy'] === true],
    ['a union', ([type]) => type === 'FLOAT,INT'],
    ['an old combo', ([type]) => Array.isArray(type)],
    ['a new combo', ([type, options]) => type === 'COMBO' && Array.isArray(options?.['options'])],
    ['a multiselect', ([, options]) => options?.['multiselect'] === true],
    ['a growing group', ([type]) => type === 'COMFY_AUTOGROW_V3'],
    ['a dynamic combo', ([type]) => type === 'COMFY_DYNAMICCOMBO_V3'],
    ['an upload', ([, options]) => options?.['image_upload'] === true],
    [
      'a seed',
      ([, options]) => options?.['control_after_generate'] === true && options['max'] === 2n ** 64n - 1n,
    ],
  ])('shows %s', (_, matches) => {
    expect(specs.some(matches)).toBe(true);
  });

  it.each<[string, (entry: NodeDefinition) => boolean]>([
    ['an output with an array', ({ output }) => output.some((type) => Array.isArray(type))],
    ['a list output', ({ output_is_list: lists }) => lists.includes(true)],
    ['an old hidden input', ({ input }) => input.hidden?.['prompt'] === 'PROMPT'],
    ['a new hidden input', ({ input }) => Array.isArray(input.hidden?.['unique_id'])],
    ['a deprecated node', (entry) => entry['deprecated'] === true],
    ['an experimental node', (entry) => entry['experimental'] === true],
    ['a node for developers', (entry) => entry['dev_only'] === true],
    ['a partner node', (entry) => entry['api_node'] === true],
    [
      'a node without a name to show, its flags false',
      (entry) => entry.display_name === null && entry['deprecated'] === false,
    ],
    ['an old node without flags', (entry) => !isNewStyle(entry) && !('deprecated' in entry)],
  ])('shows %s', (_, matches) => {
    expect(definitions.some(matches)).toBe(true);
  });

  it('marks exactly the partner nodes as such', () => {
    for (const [name, nodeClass] of nodeClasses) {
      expect([name, nodeClass.partner ?? false]).toEqual([
        name,
        nodeClass.definition({ inputs: [] })['api_node'] === true,
      ]);
    }
  });

  it('lists uploaded files as options of the loaders', () => {
    const loader = nodeClasses.get('LoadImage')!.definition({ inputs: ['a.png', 'b.png'] });
    expect(loader.input.required?.['image']).toEqual([['a.png', 'b.png'], { image_upload: true }]);
  });
});
