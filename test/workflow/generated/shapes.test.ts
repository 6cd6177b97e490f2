import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { anyCharacter } from '../../helpers/any-character.js';
import { png, pngChunk, pngText } from '../metadata/write-pictures.js';
import { applyFixes, readGraph, toApiWorkflow, validateWorkflow, workflowIn } from '../../../src/workflow.js';
import { runs } from '../../helpers/runs.js';

/** A file as people share them, by what it has to become. */
interface Drawn {
  readonly ui: {
    readonly nodes: readonly object[];
    readonly links: readonly unknown[];
    readonly extra: object;
  };
  readonly api: Readonly<Record<string, { readonly class_type: string; readonly inputs: object }>>;
}

const row = fc.record({
  on: fc.boolean(),
  lora: fc.string({ unit: anyCharacter }),
  strength: fc.double({ min: -2, max: 2, noNaN: true }),
});
const text = fc.string({ unit: anyCharacter, maxLength: 40 }).map((word) => word.replace(/[{}/\\%]/gu, ''));
const named = fc.dictionary(fc.constantFrom('crf', 'pix_fmt', 'save_metadata', 'pingpong'), fc.integer());

const node = (id: number, type: string, more: object = {}) => ({ id, type, mode: 0, ...more });

/** A model, its loras, two texts, a save by name, with links that are drawn, go by a reroute or are saved by "Use Everywhere". */
const drawn: fc.Arbitrary<Drawn> = fc
  .record({
    rows: fc.array(row, { maxLength: 4 }),
    texts: fc.tuple(text, text),
    more: named,
    wiring: fc.constantFrom('link', 'reroute', 'everywhere'),
    notes: fc.nat({ max: 3 }),
  })
  .map(({ rows, texts, more, wiring, notes }) => {
    const isDrawn = wiring !== 'everywhere';
    const encode = (id: number, value: string, link: number) =>
      node(id, 'Encode', {
        inputs: [{ name: 'clip', type: 'CLIP', link: isDrawn ? link : null }],
        widgets_values: [value],
      });
    const made = [3, 4].map((downstream) => {
      return { downstream, downstream_slot: 0, upstream: '2', upstream_slot: 1, controller: 6, type: 'CLIP' };
    });
    const origin = wiring === 'reroute' ? [7, 0] : [2, 1];
    return {
      ui: {
        nodes: [
          node(1, 'Model'),
          node(2, 'Power Lora Loader (rgthree)', {
            inputs: [{ name: 'model', type: 'MODEL', link: 1 }],
            widgets_values: [
              ...[{}, { type: 'PowerLoraLoaderHeaderWidget' }],
              ...rows.map((one) => ({ ...one, strengthTwo: null })),
              ...[{}, ''],
            ],
          }),
          encode(3, texts[0], 2),
          encode(4, texts[1], 3),
          node(5, 'Video', {
            inputs: [{ name: 'positive', type: 'CONDITIONING', link: 4 }],
            widgets_values: { rate: 24, ...more, videopreview: { hidden: false } },
          }),
          ...(isDrawn
            ? []
            : [node(6, 'Anything Everywhere', { inputs: [{ name: 'CLIP', type: '*', link: 6 }] })]),
          node(7, 'Reroute', { inputs: [{ name: '', type: '*', link: 5 }], outputs: [{ type: '*' }] }),
          ...Array.from({ length: notes }, () => node(8, 'Note', { widgets_values: ['a note'] })),
        ],
        links: [
          [1, 1, 0, 2, 0, 'MODEL'],
          ...(isDrawn ? [2, 3].map((id) => [id, ...origin, id + 1, 0, 'CLIP']) : []),
          [4, 3, 0, 5, 0, 'CONDITIONING'],
          [5, 2, 1, 7, 0, '*'],
          [6, 2, 1, 6, 0, 'CLIP'],
        ],
        extra: isDrawn ? {} : { ue_links: made },
      },
      api: {
        '1': { class_type: 'Model', inputs: {} },
        '2': {
          class_type: 'Power Lora Loader (rgthree)',
          inputs: {
            ...Object.fromEntries(rows.map((one, at) => [`lora_${at + 1}`, one])),
            model: ['1', 0],
          },
        },
        '3': { class_type: 'Encode', inputs: { text: texts[0], clip: ['2', 1] } },
        '4': { class_type: 'Encode', inputs: { text: texts[1], clip: ['2', 1] } },
        '5': { class_type: 'Video', inputs: { rate: 24, ...more, positive: ['3', 0] } },
      },
    };
  });

const definitions = {
  Model: { input: { required: {} }, output: ['MODEL', 'CLIP'], python_module: 'nodes' },
  'Power Lora Loader (rgthree)': {
    input: { required: {}, optional: { model: ['MODEL'], clip: ['CLIP'] } },
    output: ['MODEL', 'CLIP'],
    python_module: 'custom_nodes.rgthree-comfy',
  },
  Encode: {
    input: { required: { text: ['STRING', {}], clip: ['CLIP'] } },
    output: ['CONDITIONING'],
    python_module: 'nodes',
  },
  Video: {
    input: { required: { positive: ['CONDITIONING'], rate: ['INT', {}] } },
    output: [],
    output_node: true,
    python_module: 'custom_nodes.comfyui-videohelpersuite',
  },
};

const wrappers: readonly (readonly [name: string, wrap: (graph: unknown) => unknown])[] = [
  ['itself', (graph) => graph],
  ['prompt', (prompt) => ({ prompt, client_id: 'x' })],
  ['input.workflow', (workflow) => ({ input: { workflow, images: [{ name: 'a.png', image: 'aGk=' }] } })],
  ['a text', (graph) => ({ workflow: JSON.stringify(graph) })],
  ['a list', (graph) => [graph]],
  ['three levels', (graph) => ({ data: { content: [graph] } })],
];

const encodings: readonly (readonly [name: string, encode: (json: string) => Uint8Array])[] = [
  ['UTF-8', (json) => Buffer.from(json)],
  ['UTF-8 with a mark', (json) => Buffer.from(`\uFEFF${json}`)],
  ['UTF-16, little endian', (json) => Buffer.from(`\uFEFF${json}`, 'utf16le')],
  ['UTF-16, big endian', (json) => Buffer.from(`\uFEFF${json}`, 'utf16le').swap16()],
];

const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const inputsOf = (workflow: object) =>
  Object.fromEntries(
    Object.entries(workflow as Drawn['api']).map(([id, { class_type: type, inputs }]) => [
      id,
      [type, inputs],
    ]),
  );

describe('files in the shapes that people share', () => {
  it.each(wrappers)('P6: read and convert alike in %s', (_, wrap) => {
    fc.assert(
      fc.property(drawn, ({ ui, api }) => {
        const graph = readGraph(JSON.stringify(wrap(ui)));
        if (graph._tag === 'Left' || graph.right._tag !== 'Ui') throw new Error('The file was not found.');
        const { workflow = {}, problems } = toApiWorkflow(graph.right.workflow, definitions);
        expect(inputsOf(workflow)).toEqual(inputsOf(asJson(api) as object));
        expect(problems).toEqual([]);
        const ofApi = readGraph(JSON.stringify(wrap(api)));
        expect(ofApi).toMatchObject({ right: { _tag: 'Api', workflow: asJson(api), problems: [] } });
      }),
      { numRuns: runs(60) },
    );
  });

  it.each(encodings)('P6: are found as bytes in %s', async (_, encode) => {
    await fc.assert(
      fc.asyncProperty(drawn, async ({ ui, api }) => {
        expect(await workflowIn(encode(JSON.stringify(ui)))).toMatchObject({
          workflow: { value: asJson(ui) },
        });
        expect(await workflowIn(encode(JSON.stringify(api)))).toMatchObject({
          prompt: { value: asJson(api) },
        });
      }),
      { numRuns: runs(30) },
    );
  });

  it('P6: are found in a picture, before its pixels and after its end', async () => {
    const ascii = (value: unknown) =>
      JSON.stringify(value).replace(/[^ -~]/gu, (character) =>
        Array.from(
          { length: character.length },
          (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
        ).join(''),
      );
    await fc.assert(
      fc.asyncProperty(drawn, async ({ ui, api }) => {
        const file = Buffer.concat([
          png([pngText('prompt', ascii(api))]),
          pngChunk(pngText('workflow', ascii(ui))),
        ]);
        expect(await workflowIn(file)).toMatchObject({
          prompt: { value: asJson(api) },
          workflow: { value: asJson(ui) },
        });
      }),
      { numRuns: runs(30) },
    );
  });

  it('P6: have no error, and no fix changes them', () => {
    fc.assert(
      fc.property(drawn, ({ api }) => {
        const workflow = asJson(api) as Parameters<typeof applyFixes>[0];
        const problems = validateWorkflow(workflow, definitions);
        expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
        expect(problems.filter(({ message }) => message.includes('the engine ignores it'))).toEqual([]);
        expect(applyFixes(workflow, problems)).toBe(workflow);
      }),
      { numRuns: runs(60) },
    );
  });
});
