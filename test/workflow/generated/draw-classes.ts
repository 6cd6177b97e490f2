import type { Random } from '../../simulation/random.js';

/** One value of a widget: what the file holds for it, and what the API format gets. */
export interface Entry {
  readonly name: string;
  readonly value: unknown;
  /** The value once dynamic prompts are expanded, always by their first option. */
  readonly sent: unknown;
  /** Entries behind the value that only the file has. */
  readonly after: readonly unknown[];
}

/** A widget of a drawn class. */
export interface DrawnWidget {
  readonly name: string;
  readonly type: string;
  readonly spec: readonly unknown[];
  readonly group: 'required' | 'optional';
  /** Its entries: one, or for a dynamic combo also those of the chosen option. */
  readonly draw: (random: Random) => readonly Entry[];
  readonly defaultValue?: unknown;
  /** A value that the engine refuses, and the type of its error. */
  readonly mistake?: { readonly type: string; readonly value: unknown };
}

/** An input of a drawn class that takes a link only. */
export interface DrawnSocket {
  readonly name: string;
  readonly type: string;
  readonly spec: readonly unknown[];
  readonly group: 'required' | 'optional';
}

/** A node class, made up. */
export interface DrawnClass {
  readonly name: string;
  /** In the order of the definition: required ones first. */
  readonly inputs: readonly (DrawnSocket | DrawnWidget)[];
  readonly sockets: readonly DrawnSocket[];
  readonly widgets: readonly DrawnWidget[];
  readonly outputs: readonly string[];
  /** Entries at the end of `widgets_values`. */
  readonly atEnd: readonly unknown[];
}

/** Types of what runs through links only. */
export const linkTypes = ['MODEL', 'IMAGE', 'LATENT', 'MASK'] as const;

export const isWidget = (input: DrawnSocket | DrawnWidget): input is DrawnWidget => 'draw' in input;

type Kind = (name: string, random: Random) => Omit<DrawnWidget, 'name' | 'group'>;

const words = ['fixed', 'increment', 'decrement', 'randomize'];

const one = (
  name: string,
  value: unknown,
  after: readonly unknown[] = [],
  sent = value,
): readonly Entry[] => [{ name, value, sent, after }];

const kinds: readonly Kind[] = [
  (name, random) => {
    const min = random.between(-9, 9);
    const max = min + random.between(1, 99);
    return {
      type: 'INT',
      spec: ['INT', { default: min, min, max }],
      defaultValue: min,
      draw: (from) => one(name, from.between(min, max)),
      mistake: random.pick([
        { type: 'value_smaller_than_min', value: min - 1 },
        { type: 'value_bigger_than_max', value: max + 1 },
        { type: 'invalid_input_type', value: 'none' },
      ]),
    };
  },
  (name) => ({
    type: 'FLOAT',
    spec: ['FLOAT', { default: 1.5, min: 0, max: 10, step: 0.01 }],
    defaultValue: 1.5,
    draw: (from) => one(name, from.between(0, 1000) / 100),
    mistake: { type: 'value_bigger_than_max', value: 10.5 },
  }),
  (name, random) => {
    const dynamicPrompts = random.chance(0.5);
    return {
      type: 'STRING',
      spec: ['STRING', { default: 'hi', dynamicPrompts }],
      defaultValue: 'hi',
      draw: (from) => {
        const word = from.pick(['red', 'a {', 'größe', 'x\n', '']);
        const rest = `${from.below(99)} "quoted"`;
        const isChoice = dynamicPrompts && !word.includes('{') && from.chance(0.6);
        const plain = `${word.replace('{', '')} ${rest}`;
        return isChoice
          ? one(name, `{${word}|other {deep|er}} ${rest} // gone`, [], `${word} ${rest} `)
          : dynamicPrompts
            ? one(name, plain)
            : one(name, `${word} ${rest} {a|b} // stays`);
      },
    };
  },
  (name) => ({
    type: 'BOOLEAN',
    spec: ['BOOLEAN', { default: true }],
    defaultValue: true,
    draw: (from) => one(name, from.chance(0.5)),
  }),
  (name) => ({
    type: 'COMBO',
    spec: [['one', 'two', 'three']],
    defaultValue: 'one',
    draw: (from) => one(name, from.pick(['one', 'two', 'three'])),
    mistake: { type: 'value_not_in_list', value: 'four' },
  }),
  (name) => ({
    type: 'COMBO',
    spec: ['COMBO', { options: ['one', 'two'], control_after_generate: true }],
    draw: (from) => one(name, from.pick(['one', 'two']), [from.pick(words), '']),
  }),
  (name) => ({
    type: 'COMFY_DYNAMICCOMBO_V3',
    spec: [
      'COMFY_DYNAMICCOMBO_V3',
      {
        options: [
          { key: 'none', inputs: { required: {} } },
          {
            key: 'more',
            inputs: {
              required: { seed: ['INT', { default: 0, min: 0, max: 99, control_after_generate: true }] },
              optional: { label: ['STRING', { default: 'x' }] },
            },
          },
        ],
      },
    ],
    draw: (from) =>
      from.chance(0.4)
        ? one(name, 'none')
        : [
            ...one(name, 'more'),
            ...one(`${name}.seed`, from.between(0, 99), [from.pick(words)]),
            ...one(`${name}.label`, `label ${from.below(9)}`),
          ],
  }),
];

const seed: Kind = (name, random) => ({
  type: 'INT',
  spec: [
    'INT',
    { default: 0, min: 0, max: 2 ** 64, ...(random.chance(0.7) && { control_after_generate: true }) },
  ],
  draw: (from) =>
    one(name, from.chance(0.3) ? 2n ** 63n + BigInt(from.below(999)) : from.below(2 ** 31), [
      from.pick(words),
    ]),
  mistake: { type: 'value_smaller_than_min', value: -1 },
});

const upload: Kind = (name) => ({
  type: 'COMBO',
  spec: [['a.png', 'b.png'], { image_upload: true }],
  draw: (from) => one(name, from.pick(['a.png', 'b.png'])),
});

/** Draws node classes: a source for each type, one that passes each type on, and others with all kinds of inputs. */
export const drawClasses = (random: Random): readonly DrawnClass[] => [
  ...linkTypes.map((type) => classOf(`Source ${type}`, drawWidgets(random, 2), [], [type, 'INT', 'STRING'])),
  ...linkTypes.map((type) =>
    classOf(
      `Pass ${type}`,
      drawWidgets(random, 1),
      [{ name: 'through', type, spec: [type], group: 'required' }],
      [type],
    ),
  ),
  ...Array.from({ length: 4 }, (_, at) => {
    const widgets = drawWidgets(random, 5);
    const outputs = Array.from({ length: random.between(1, 3) }, () =>
      random.pick([...linkTypes, 'INT', 'FLOAT', 'BOOLEAN']),
    );
    return classOf(`Class ${at}`, widgets, drawSockets(random, widgets.every(isCounted)), outputs);
  }),
  ...linkTypes.map((type) =>
    classOf(
      `Save ${type}`,
      drawWidgets(random, 2),
      [{ name: 'saved', type, spec: [type], group: 'required' }],
      [],
    ),
  ),
];

const groupOf = (random: Random) => (random.chance(0.7) ? 'required' : 'optional');

const drawWidgets = (random: Random, most: number): readonly DrawnWidget[] => {
  const names = ['width', '10', 'text', '1', 'toString', 'my value'];
  const widgets: DrawnWidget[] = [];
  for (let count = random.between(0, most); count > 0; count -= 1) {
    const name = names.splice(random.below(names.length), 1)[0]!;
    widgets.push({ name, group: groupOf(random), ...random.pick(kinds)(name, random) });
  }
  if (random.chance(0.4)) widgets.push({ name: 'seed', group: groupOf(random), ...seed('seed', random) });
  if (random.chance(0.2)) widgets.push({ name: 'image', group: 'required', ...upload('image', random) });
  return widgets;
};

/**
 * Whether the editor counts the entries of a widget right when it looks for those of `forceInput` in the files of older
 * editors; for a class with other widgets it can mistake a file of its own for one of these.
 */
const isCounted = ({ name, type, spec: [, options] }: DrawnWidget): boolean =>
  type !== 'COMFY_DYNAMICCOMBO_V3' &&
  (name === 'seed') === Object.hasOwn(options ?? {}, 'control_after_generate');

const drawSockets = (random: Random, mayForce: boolean): readonly DrawnSocket[] =>
  Array.from({ length: random.between(0, 3) }, (_, at) => {
    const isForced = mayForce && random.chance(0.2);
    const type = isForced ? 'INT' : random.pick(linkTypes);
    const spec = isForced ? [type, { forceInput: true }] : [type];
    return { name: `socket ${at}`, type, spec, group: groupOf(random) };
  });

const classOf = (
  name: string,
  widgets: readonly DrawnWidget[],
  sockets: readonly DrawnSocket[],
  outputs: readonly string[],
): DrawnClass => {
  const mixed = [...widgets.slice(0, 1), ...sockets, ...widgets.slice(1)];
  const inputs = [
    ...mixed.filter(({ group }) => group === 'required'),
    ...mixed.filter(({ group }) => group === 'optional'),
  ];
  return {
    name,
    inputs,
    sockets: inputs.filter((input) => !isWidget(input)),
    widgets: inputs.filter(isWidget),
    outputs,
    atEnd: widgets.some(({ name: own }) => own === 'image') ? ['image'] : [],
  };
};

/** What a service says of the classes. */
export const definitionsOf = (classes: readonly DrawnClass[]): Record<string, unknown> =>
  Object.fromEntries(
    classes.map(({ name, inputs, outputs }) => {
      const groups = (['required', 'optional'] as const).map(
        (group) => [group, inputs.filter((input) => input.group === group)] as const,
      );
      return [
        name,
        {
          input: Object.fromEntries(
            groups.map(([group, own]) => [
              group,
              Object.fromEntries(own.map((input) => [input.name, input.spec])),
            ]),
          ),
          input_order: Object.fromEntries(
            groups.map(([group, own]) => [group, own.map((input) => input.name)]),
          ),
          output: outputs,
          output_node: outputs.length === 0,
        },
      ];
    }),
  );
