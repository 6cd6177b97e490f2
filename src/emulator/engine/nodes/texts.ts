import { define, instant, ofTheEmulator } from '../define.js';
import { isImages, read } from '../read.js';
import { strOf } from '../python-words.js';
import type { NodeClass, Value } from '../node-class.js';
import type { Sigmas } from '../values.js';

/** Writes a number with a chosen count of decimals; it takes both kinds of number. */
export const numberToText: NodeClass = {
  definition: () => numberToTextDefinition,
  execute: instant((inputs) => {
    const number = read.number(inputs, 'number');
    return { values: [number.toFixed(read.number(inputs, 'decimals', 0))] };
  }),
};

const numberToTextDefinition = define({
  name: 'NumberToText',
  pythonModule: ofTheEmulator,
  category: 'utils',
  style: 'new',
  required: { number: ['FLOAT,INT', {}] },
  optional: { decimals: ['INT', { default: 0, min: 0, max: 10 }] },
  outputs: [{ type: 'STRING' }],
});

/** Shows any value as text: as progress text while it runs, and as the node's output. */
export const previewText: NodeClass = {
  definition: () => previewTextDefinition,
  execute: instant((inputs, context) => {
    const texts = textsOf(inputs['source']);
    for (const text of texts) context.text(text);
    return { values: [texts.join('\n')], ui: { text: texts } };
  }),
};

/** Shows any value as one text, as Python writes it. */
export const previewAny: NodeClass = {
  definition: () => previewAnyDefinition,
  execute: instant((inputs) => {
    const value = inputs['source'];
    const isScalar = value === null || typeof value !== 'object';
    const text = isScalar ? strOf(value) : isSigmas(value) ? tensorText(value) : textsOf(value).join('\n');
    return { values: [], ui: { text: [text] } };
  }),
};

const previewAnyDefinition = define({
  name: 'PreviewAny',
  title: 'Preview Any',
  pythonModule: 'comfy_extras.nodes_preview_any',
  category: 'utils',
  required: { source: ['*', {}] },
  outputNode: true,
});

const textsOf = (value: Value): readonly string[] =>
  isImages(value)
    ? value.map(({ width, height }) => `picture ${width} × ${height}`)
    : Array.isArray(value)
      ? value.flatMap(textsOf)
      : [typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value, plain)];

const isSigmas = (value: object): value is Sigmas => (value as Partial<Sigmas>).kind === 'SIGMAS';

/** The values as the engine writes a tensor, but on one line. */
const tensorText = ({ values }: Sigmas): string =>
  `tensor([${Array.from(values, (value) => value.toFixed(4)).join(', ')}])`;

const plain = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint'
    ? value.toString()
    : ArrayBuffer.isView(value)
      ? `${value.byteLength} bytes`
      : value;

const previewTextDefinition = define({
  name: 'PreviewText',
  pythonModule: ofTheEmulator,
  title: 'Preview Text',
  category: 'utils',
  required: { source: ['*', {}] },
  outputs: [{ type: 'STRING' }],
  outputNode: true,
});

/** Adds words of a style to a prompt. */
export const promptStyler: NodeClass = {
  definition: () => promptStylerDefinition,
  execute: instant((inputs) => {
    const words = [read.text(inputs, 'text'), read.text(inputs, 'style'), ...listOf(inputs['extras'])];
    return { values: [words.filter((word) => word !== '' && word !== 'none').join(', ')] };
  }),
};

const listOf = (value: Value): readonly string[] => (Array.isArray(value) ? value.map(String) : []);

const promptStylerDefinition = define({
  name: 'PromptStyler',
  pythonModule: ofTheEmulator,
  description: 'Adds words of a style to a prompt.',
  category: 'conditioning',
  style: 'new',
  required: {
    text: ['STRING', { multiline: true, default: '', placeholder: 'what the picture shows' }],
    style: [
      'COMBO',
      { options: ['none', 'at night', 'at sunset', 'in the morning mist', 'in a storm'], multiselect: false },
    ],
  },
  optional: {
    extras: ['COMBO', { options: ['mountains', 'forest', 'ocean', 'city'], multiselect: true, chip: true }],
  },
  outputs: [{ type: 'STRING', name: 'text', tooltip: 'The styled prompt.' }],
});

/** Splits a text into its words, as a list. */
export const splitWords: NodeClass = {
  definition: () => splitWordsDefinition,
  execute: instant((inputs) => ({ values: [read.text(inputs, 'text').split(/\s+/).filter(Boolean)] })),
};

const splitWordsDefinition = define({
  name: 'SplitWords',
  pythonModule: ofTheEmulator,
  title: 'Split Words',
  category: 'utils',
  required: { text: ['STRING', { default: '', forceInput: true }] },
  outputs: [{ type: 'STRING', name: 'words', isList: true }],
  flags: { dev_only: true },
});
