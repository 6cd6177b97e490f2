import { describe, expect, it } from 'vitest';
import { membersType } from '../../../src/cli/types/members-type.js';
import { newScope } from '../../../src/cli/types/scope.js';
import { readInputs } from '../../../src/workflow.js';

const typeOf = (input: object) => membersType(readInputs(input), newScope());
const choice = (options: unknown, more: object = {}) => ['COMFY_DYNAMICCOMBO_V3', { options, ...more }];
const grown = (template: unknown, group: 'required' | 'optional' = 'required') =>
  typeOf({ [group]: { images: ['COMFY_AUTOGROW_V3', { template }] } });
const anyPart = (name: string): string =>
  `  readonly [part: \`${name}.\${string}\`]: Literal | Output<string> | undefined;\n`;

describe('the members for inputs', () => {
  it('stand in their order, with notes, and an optional input may be left out', () => {
    const { members, unions, isOptional } = typeOf({
      required: { steps: ['INT', { tooltip: 'How many.' }] },
      optional: { 'a mask': ['MASK'] },
    });
    expect(members).toBe(
      '  /** How many. */\n  readonly steps: number | bigint | Input<"steps", "INT">;\n' +
        '  readonly "a mask"?: Input<"a mask", "MASK">;\n',
    );
    expect([unions, isOptional]).toEqual([[], false]);
  });

  it('may be left out all together only where each of them may', () => {
    expect(typeOf({}).isOptional).toBe(true);
    expect(typeOf({ optional: { mask: ['MASK'] } }).isOptional).toBe(true);
    expect(typeOf({ required: { image: ['IMAGE'] }, optional: { mask: ['MASK'] } }).isOptional).toBe(false);
  });

  it('take any part of a dynamic input of an unknown kind, whose own value may be missing', () => {
    const { members, isOptional } = typeOf({ required: { slot: ['COMFY_DYNAMICSLOT_V3', {}] } });
    expect(members).toBe(`  readonly slot?: Literal | Input<"slot", string>;\n${anyPart('slot')}`);
    expect(isOptional).toBe(true);
  });

  it('take no parts where the name can not stand in a template', () => {
    const { members } = typeOf({ required: { 'a`b': ['COMFY_DYNAMICSLOT_V3', {}] } });
    expect(members).toBe('  readonly "a`b"?: Literal | Input<"a`b", string>;\n');
  });

  it.each(['COMFY_MATCHTYPE_V3', 'MY_COMFY_SLOT_V3', 'COMFY_SLOT_V3_OLD', 'COMFY_SLOT'])(
    'take no parts of %s, which brings none',
    (type) => {
      const { members, isOptional } = typeOf({ required: { same: [type, {}] } });
      expect(members).toMatch(/^ {2}readonly same: .*;\n$/u);
      expect(isOptional).toBe(false);
    },
  );
});

describe('the members for a choice that brings inputs', () => {
  const options = [
    { key: 'plain', inputs: {} },
    {
      key: 'scaled',
      inputs: { required: { factor: ['FLOAT', {}] }, optional: { mask: ['MASK', {}] } },
    },
  ];

  it('are one type for each option, with its inputs after the name of the choice', () => {
    const { members, unions, isOptional } = typeOf({
      required: { mode: choice(options, { tooltip: 'How.' }) },
    });
    const plain = '{\n  /** How. */\n  readonly mode: "plain";\n}';
    const scaled =
      '{\n  /** How. */\n  readonly mode: "scaled";\n' +
      '  readonly "mode.factor": number | Input<"mode.factor", "FLOAT">;\n' +
      '  readonly "mode.mask"?: Input<"mode.mask", "MASK">;\n}';
    expect(unions).toEqual([`(${plain} | ${scaled})`]);
    expect([members, isOptional]).toEqual(['', false]);
  });

  it('bring nothing where an optional choice is left out', () => {
    const { unions, isOptional } = typeOf({ optional: { mode: choice(options.slice(0, 1)) } });
    expect(unions).toEqual(['({\n  readonly mode?: "plain";\n} | { readonly mode?: undefined })']);
    expect(isOptional).toBe(true);
  });

  it('join the types of a choice within an option', () => {
    const inner = choice([{ key: 'in', inputs: {} }]);
    const outer = choice([{ key: 'out', inputs: { required: { b: inner } } }]);
    expect(typeOf({ required: { a: outer } }).unions).toEqual([
      '({\n  readonly a: "out";\n} & ({\n  readonly "a.b": "in";\n}))',
    ]);
  });

  it('leave out options that can not be read, and take any part where none is left', () => {
    const odd = [null, 5, 'x', {}, { key: 5 }, { key: 'only', inputs: 7 }];
    expect(typeOf({ required: { mode: choice(odd) } }).unions).toEqual(['({\n  readonly mode: "only";\n})']);
    for (const none of [undefined, 'x', [], odd.slice(0, 5)]) {
      const { members, unions } = typeOf({ required: { mode: choice(none) } });
      expect(members).toBe(`  readonly mode?: Literal | Input<"mode", string>;\n${anyPart('mode')}`);
      expect(unions).toEqual([]);
    }
  });

  it('unfold to at most a hundred types of one class, whatever other inputs it has', () => {
    const ten = choice(Array.from({ length: 10 }, (_, at) => ({ key: `k${at}`, inputs: {} })));
    const two = choice(options);
    const first = { steps: ['INT'], a: ten, b: ten };
    expect(typeOf({ required: first }).unions).toHaveLength(2);
    const beyond = typeOf({ required: { ...first, c: two } });
    expect(beyond.unions).toHaveLength(2);
    expect(beyond.members).toContain(anyPart('c'));
    // A choice that does not fit leaves its room to one that does.
    const { unions, members } = typeOf({ required: { a: ten, b: two, c: ten, d: two } });
    expect(unions.map((union) => /readonly (\w)/u.exec(union)?.[1])).toEqual(['a', 'b', 'd']);
    expect(members).toContain(anyPart('c'));
  });

  it('unfold four levels deep', () => {
    const nested = (levels: number): readonly unknown[] =>
      choice([{ key: 'k', inputs: levels === 1 ? {} : { required: { c: nested(levels - 1) } } }]);
    const [union = ''] = typeOf({ required: { c: nested(5) } }).unions;
    expect(union).toContain('readonly "c.c.c.c": "k";');
    expect(union).not.toContain('readonly "c.c.c.c.c": "k";');
    expect(union).toContain(anyPart('c.c.c.c.c'));
  });
});

describe('the members for an input that grows', () => {
  const image = { required: { image: ['IMAGE'] } };
  const members = (...names: readonly string[]): string =>
    names
      .map((name) => {
        const whole = `images.${name.replace('?', '')}`;
        return `  readonly "${whole}"${name.endsWith('?') ? '?' : ''}: Input<"${whole}", "IMAGE">;\n`;
      })
      .join('');

  it('are its parts by their numbers, as many required as the template says', () => {
    expect(grown({ input: image, prefix: 'image', min: 1, max: 3 })).toEqual({
      members: members('image0', 'image1?', 'image2?'),
      unions: [],
      isOptional: false,
    });
    expect(grown({ input: image, prefix: 'image', max: 2.5 })).toEqual({
      members: members('image0?', 'image1?'),
      unions: [],
      isOptional: true,
    });
  });

  it('are its parts by their names', () => {
    expect(grown({ input: image, names: ['left', 5, 'right'], min: 2 }).members).toBe(
      members('left', 'right'),
    );
  });

  it('may be left out where the whole input may', () => {
    const { members: text, isOptional } = grown({ input: image, names: ['left'], min: 1 }, 'optional');
    expect(text).toBe(members('left?'));
    expect(isOptional).toBe(true);
  });

  it('are at most a hundred', () => {
    const names = Array.from({ length: 200 }, (_, at) => `n${at}`);
    const counts = [{ names }, { prefix: 'n' }, ...[0, -1, 200].map((max) => ({ prefix: 'n', max }))];
    for (const template of counts)
      expect(grown({ input: image, ...template }).members.match(/readonly/gu)).toHaveLength(100);
    expect(grown({ input: image, prefix: 'n' }).members).toContain('"images.n99"?');
  });

  it.each([
    ['names nothing', { input: image }],
    ['has no kind', { prefix: 'image', max: 3 }],
    ['is no object', null],
    ['is a text', 'x'],
  ])('are any part where the template %s', (_, template) => {
    expect(grown(template)).toEqual({ members: anyPart('images'), unions: [], isOptional: true });
  });
});
