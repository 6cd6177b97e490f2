import { declare, errorsIn, languageService, pathOf } from '../helpers/declare.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { drawWorkflow } from '../../workflow/generated/programs.js';
import fc from 'fast-check';
import { anyCharacter } from '../../helpers/any-character.js';
import { UnreadableObject } from '../../../src/cli/types/members-of.js';
import { programOf } from '../../../src/cli/codegen/program.js';
import { randomOf } from '../../simulation/random.js';
import ts from 'typescript';
import { runs, some } from '../../helpers/runs.js';

const node = (required: object, output: readonly unknown[] = [], more: object = {}) => ({
  input: { required, ...(more as { input?: object }).input },
  output,
  output_node: output.length === 0,
  ...Object.fromEntries(Object.entries(more).filter(([name]) => name !== 'input')),
});

const definitions = {
  Load: node({ name: [['a.ckpt', 'b.ckpt'], { tooltip: 'The file.' }] }, ['MODEL', 'CLIP'], {
    display_name: 'Load it',
    output_tooltips: ['The model.', null],
    output_name: ['The model', 'CLIP'],
  }),
  Encode: node({ clip: ['CLIP'], text: ['STRING', { multiline: true }] }, ['COND'], { deprecated: true }),
  Sample: node(
    {
      model: ['MODEL'],
      seed: ['INT', { default: 0, min: 0, max: 2 ** 53 }],
      cfg: ['FLOAT', { default: 8, step: 0.1 }],
      sampler: [['euler', 'heun'], {}],
      cond: ['COND'],
    },
    ['LATENT', 'INT,FLOAT', '*', ['euler', 'heun']],
    { output_is_list: [true, false, false, false], experimental: true, input: { optional: { any: ['*'] } } },
  ),
  Options: node({
    number: ['INT,FLOAT'],
    fresh: ['COMBO', { options: ['x', 1, 2.5, true] }],
    tags: ['COMBO', { options: ['r', 'g'], multiselect: true }],
    image: [['a.png'], { image_upload: true }],
    far: ['COMBO', { remote: { route: '/x' } }],
    flag: ['BOOLEAN', { default: true }],
    none: [[]],
  }),
  Dynamic: node({
    mode: [
      'COMFY_DYNAMICCOMBO_V3',
      {
        options: [
          { key: 'plain', inputs: {} },
          {
            key: 'scaled',
            inputs: { required: { factor: ['FLOAT', {}] }, optional: { mask: ['MASK', {}] } },
          },
        ],
      },
    ],
    images: [
      'COMFY_AUTOGROW_V3',
      { template: { input: { required: { image: ['IMAGE'] } }, prefix: 'image', min: 1, max: 3 } },
    ],
    same: ['COMFY_MATCHTYPE_V3', {}],
    slot: ['COMFY_DYNAMICSLOT_V3', {}],
  }),
  'Odd (name)': node({}, ['IMAGE', 'IMAGE'], { output_name: ['a b', ''] }),
  toString: node({}, []),
};

const program = (body: string): string => `
import { graph } from 'promptwire/workflow';
import type { Nodes } from './nodes.js';
const g = graph<Nodes>();
const loaded = g.Load({ name: 'a.ckpt' });
const cond = g.Encode({ clip: loaded.CLIP_1, text: 'x' });
const sampled = g.Sample({ model: loaded[0], seed: 2n ** 60n, cfg: 8, sampler: 'euler', cond: cond[0] });
${body}`;

/** A program in an editor that is being written. */
const unfinished = program(`
    g.Sample({ model: loaded[0], sampler: '' });
    g.Encode;
  `);

const takes = `
      g.Sample({ model: loaded.The_model_0, seed: sampled.INT_FLOAT_1, cfg: sampled[1], sampler: sampled[3], cond: sampled[2] });
      g.Sample({ model: loaded[0], seed: 1, cfg: sampled[2], sampler: sampled[2], cond: cond[0], any: loaded[1] });
      g.Sample({ model: g.raw(['9', 0]), seed: 1, cfg: 1, sampler: 'heun', cond: cond[0], any: [1, { a: null }] });
      g.Options({ number: 1.5, fresh: 2.5, tags: ['r', 'g'], image: 'new.png', far: 'x', flag: true, none: sampled[2] });
      g.Options({ number: sampled[1], fresh: 'x', tags: [], image: 'a.png', far: 1, flag: false, none: sampled[2] });
      g.Dynamic({ mode: 'plain', 'images.image0': sampled[2], same: loaded[0] });
      g.Dynamic({ mode: 'scaled', 'mode.factor': 2, 'images.image0': sampled[2], 'images.image2': sampled[2], same: 1, 'slot.x': 1 });
      g.node('Odd (name)', {}, { id: 'x', title: 'Odd' }).a_b_0;
      g['Odd (name)']().IMAGE_1;
      g.node('toString');
      g.unknown('Gone', { x: loaded.The_model_0, y: [1] }).output(0, 'MODEL') satisfies typeof loaded[0];
    `;

/** What does not fit, and what the compiler says of it. */
const refused: readonly (readonly [string, string])[] = [
  [
    "g.Load({ name: 'c.ckpt' });",
    `1:10 Type '"c.ckpt"' is not assignable to type 'Name'. Did you mean '"a.ckpt"'?`,
  ],
  [
    "g.Encode({ clip: loaded[0], text: 'x' });",
    `1:12 Type 'Output<"MODEL">' is not assignable to type 'Input<"clip", "CLIP">'.`,
  ],
  [
    "g.node('Encode', { clip: loaded[0], text: '' });",
    `1:20 Type 'Output<"MODEL">' is not assignable to type 'Input<"clip", "CLIP">'.`,
  ],
  [
    'g.Encode({ clip: loaded.CLIP_1 });',
    `1:10 Argument of type '{ clip: Output<"CLIP">; }' is not assignable to parameter of type 'EncodeInputs'.`,
  ],
  [
    "g.Encode({ clip: cond.CLIP_1, text: 'x' });",
    `1:23 Property 'CLIP_1' does not exist on type 'EncodeOutputs'.`,
  ],
  [
    "g.Encode({ clip: loaded, text: 'x' });",
    `1:12 Type 'LoadOutputs' is missing the following properties from type 'Input<"clip", "CLIP">': nodeId, slot, '~type'`,
  ],
  [
    "g.Encode({ clip: loaded[1], text: 'x', txet: 1 });",
    `1:40 Object literal may only specify known properties, and 'txet' does not exist in type 'EncodeInputs'.`,
  ],
  ['g.Load({ name: loaded[0] });', `1:10 Type 'Output<"MODEL">' is not assignable to type 'Name'.`],
  ["g.Load({ name: 'a.ckpt' }).COND_0;", `1:28 Property 'COND_0' does not exist on type 'LoadOutputs'.`],
  ['g.Gone({});', `1:3 Property 'Gone' does not exist on type 'GraphBuilder<Nodes>'.`],
  ["g.node('Gone', {});", `1:8 Argument of type '"Gone"' is not assignable to parameter of type`],
  [
    "g.Dynamic({ mode: 'plain', 'mode.factor': 1, 'images.image0': sampled[2], same: 1 });",
    `1:28 Object literal may only specify known properties, and ''mode.factor'' does not exist in type`,
  ],
];
/** One service knows all programs: the compiler checks what they share once. */
const allPrograms = async (): Promise<ts.LanguageService> => {
  const files = Object.fromEntries(
    [takes, ...refused.map(([body]) => body)].map((body, at) => [`program${at}.ts`, program(body)]),
  );
  const declared = (await declare(definitions)).text;
  return languageService({ 'nodes.d.ts': declared, 'unfinished.ts': unfinished, ...files });
};

/** What the compiler says of the body at this place, whose lines count from 1. */
const errorsOf = (service: ts.LanguageService, at: number): readonly string[] =>
  errorsIn(service, `program${at}.ts`).map((error) =>
    error.replace(/^\d+/u, (line) => String(Number(line) - 7)),
  );

let service: ts.LanguageService;
beforeAll(async () => {
  service = await allPrograms();
}, 60_000);

describe('the declarations of node classes', () => {
  it('take what fits: literals, links, unions, wildcards, equal lists, and dynamic inputs', () => {
    expect(errorsIn(service, 'nodes.d.ts')).toEqual([]);
    expect(errorsOf(service, 0)).toEqual([]);
  });

  it('M9: take what the lists of a class of another package lack', async () => {
    const pack = node({ mode: [['a', 'b']], size: ['COMBO', { options: [1, 2] }] }, [], {
      python_module: 'custom_nodes.a-pack',
    });
    const { text } = await declare({ Pack: pack, Own: { ...pack, python_module: 'nodes' } });
    expect(text).toContain('"a" | "b" | (string & Record<never, never>)');
    expect(text).toContain('1 | 2 | number');
    expect(text).toMatch(/"a" \| "b" \| Output/u);
  });

  it('M9: take every choice and input of a class of the engine that takes any', async () => {
    const CustomCombo = node({ choice: ['COMBO', { options: [] }] }, ['STRING'], { python_module: 'nodes' });
    const { text } = await declare({ CustomCombo });
    expect(text).toContain('export type Choice = (string & Record<never, never>);');
    const inputs = { choice: 'wide', index: 1, option1: 'wide' };
    const workflow = { 1: { class_type: 'CustomCombo', inputs } };
    const program = programOf(workflow, { types: './nodes.js', definitions: { CustomCombo } }).text;
    expect(program).toContain("g.CustomCombo({ choice: 'wide', index: 1, option1: 'wide' })");
    const own = languageService({ 'nodes.d.ts': text, 'program.ts': program });
    expect([errorsIn(own, 'nodes.d.ts'), errorsIn(own, 'program.ts')]).toEqual([[], []]);
  });

  it('refuse what does not fit, at its place', () => {
    const errors = refused.map(([body], at) => [body, errorsOf(service, at + 1)]);
    expect(errors).toEqual(refused.map(([body, error]) => [body, [expect.stringContaining(error)]]));
  });

  it('accept the programs of workflows without mistakes, and refuse those whose mistake is one of types', async () => {
    const files: Record<string, string> = {};
    const wanted = new Map<string, boolean>();
    const seeds = Array.from({ length: 12 }, (_, at) => at + 1);
    for (const seed of some(seeds, { every: 3, turn: 1 })) {
      const { workflow, definitions: own, mistake } = drawWorkflow(randomOf(seed, 18));
      files[`nodes${seed}.d.ts`] = (await declare(own)).text;
      files[`program${seed}.ts`] = programOf(workflow, { types: `./nodes${seed}.js`, definitions: own }).text;
      wanted.set(`program${seed}.ts`, mistake !== undefined && !/smaller|bigger/u.test(mistake.type));
    }
    const own = languageService(files);
    for (const [name, isRefused] of wanted) {
      expect(errorsIn(own, name.replace('program', 'nodes').replace('.ts', '.d.ts'))).toEqual([]);
      expect([name, files[name], errorsIn(own, name).length > 0]).toEqual([name, files[name], isRefused]);
    }
    expect(new Set(wanted.values()).size).toBe(2);
  });

  it('name the first thousand choices of a longer list', async () => {
    const long = Array.from({ length: 3000 }, (_, at) => `choice ${at}`);
    const { text } = await declare({
      A: node({ x: [long], y: [long.slice(0, 1000)] }),
      B: node({ x: [long] }),
    });
    expect(text.match(/"choice 999"/gu)).toHaveLength(2);
    expect(text).not.toContain('"choice 1000"');
    expect(text).toContain('The first 1000 of 3000 choices; any other fits as well.');
  });

  it('leave out a class that can not be read, and read the numbers of Python', async () => {
    const { classes, unreadable, text } = await declare(
      '{"A": 5, "B": {"input": {"required": {"x": ["FLOAT", {"max": Infinity, "tooltip": "NaN"}]}}}, "C": {bad}}',
    );
    expect([classes, unreadable]).toEqual([1, ['A', 'C']]);
    expect(text).toContain('/** NaN */\n  readonly x: number | Input<"x", "FLOAT">;');
    await expect(declare('[]')).rejects.toBeInstanceOf(UnreadableObject);
  });

  it('hold for any names and texts: nothing breaks out of its literal or comment', async () => {
    const hostile = fc.oneof(
      fc.constantFrom(
        '*/',
        '`',
        '${x}',
        '"',
        "'",
        '\\',
        '\n',
        '\r',
        '\u2028',
        '\u2029',
        '\u0085',
        '__proto__',
        'new',
        'constructor',
      ),
      fc.constantFrom(
        '*/ declare const x: 1; /*',
        '@deprecated no',
        '{@link x}',
        '"; }',
        '\\u0022',
        '*',
        '/',
        '0',
        '-1',
        '',
      ),
      fc.string({ unit: anyCharacter, maxLength: 12 }),
    );
    const texts = fc.array(hostile, { maxLength: 3 }).map((parts) => parts.join(''));
    const spec = fc.oneof(
      fc.tuple(fc.array(texts, { maxLength: 4 }), fc.record({ tooltip: texts, default: texts })),
      fc.tuple(
        fc.oneof(texts, fc.constantFrom('INT', 'COMBO')),
        fc.record({ tooltip: texts, options: fc.array(texts) }),
      ),
    );
    const group = fc.dictionary(texts, spec, { maxKeys: 4 });
    const definition = fc.record({
      input: fc.record({ required: group, optional: group }),
      output: fc.array(fc.oneof(texts, fc.array(texts)), { maxLength: 3 }),
      output_name: fc.array(texts),
      ...{ display_name: texts, description: texts, category: texts, python_module: texts },
    });
    await fc.assert(
      fc.asyncProperty(fc.dictionary(texts, definition, { maxKeys: 4 }), async (classes) => {
        const { text } = await declare(classes);
        const file = ts.createSourceFile('nodes.d.ts', text, ts.ScriptTarget.ES2022, true);
        expect((file as unknown as { parseDiagnostics: unknown[] }).parseDiagnostics).toEqual([]);
        const kinds = new Set(file.statements.map(({ kind }) => kind));
        for (const kind of [
          ts.SyntaxKind.ImportDeclaration,
          ts.SyntaxKind.InterfaceDeclaration,
          ts.SyntaxKind.TypeAliasDeclaration,
        ])
          kinds.delete(kind);
        expect([...kinds]).toEqual([]);
        const nodes = file.statements.at(-1) as ts.InterfaceDeclaration;
        const names = nodes.members.map(({ name }) => (name as ts.Identifier).text);
        expect(names).toEqual(Object.keys(JSON.parse(JSON.stringify(classes)) as object));
        expect(file.statements.filter((one) => ts.getJSDocDeprecatedTag(one))).toEqual([]);
        expect(nodes.members.filter((one) => ts.getJSDocTags(one).length > 0)).toEqual([]);
      }),
      { numRuns: runs(60) },
    );
  });
});

describe('an editor', () => {
  it('completes inputs and choices, shows notes and bounds, and marks what is deprecated', () => {
    const path = pathOf('unfinished.ts');
    const namesAt = (place: string, offset = 0) =>
      service
        .getCompletionsAtPosition(path, unfinished.lastIndexOf(place) + place.length + offset, {})
        ?.entries.map(({ name }) => name) ?? [];
    expect(namesAt("sampler: '")).toEqual(['euler', 'heun']);
    expect(namesAt('loaded[0], ')).toEqual(['cfg', 'cond', 'sampler', 'seed', 'any']);
    expect(namesAt('loaded.')).toEqual(['CLIP_1', 'id', 'The_model_0']);
    expect(namesAt('g.')).toEqual(expect.arrayContaining(['Load', 'Encode', 'unknown', 'workflow']));
    const encode = service
      .getCompletionsAtPosition(path, unfinished.lastIndexOf('g.Encode') + 2, {})
      ?.entries.find(({ name }) => name === 'Encode');
    expect(encode?.kindModifiers).toContain('deprecated');
    const hover = service.getQuickInfoAtPosition(path, unfinished.indexOf('seed:'));
    expect(ts.displayPartsToString(hover?.documentation)).toBe('Default 0, from 0 to 9007199254740992.');
    expect(ts.displayPartsToString(hover?.displayParts)).toContain(
      'seed: number | bigint | Input<"seed", "INT">',
    );
  });
});
