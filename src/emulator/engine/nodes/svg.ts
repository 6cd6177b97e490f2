import { define, instant, ofTheEmulator } from '../define.js';
import { fileMetadata } from './save.js';
import { nodeOf } from './node-of.js';
import { type NodeClass, NodeFailure } from '../node-class.js';
import { read } from '../read.js';
import type { Svg } from '../values.js';

/** Takes a text as an SVG document, since an engine's own makers of SVG are partner nodes. */
export const textToSvg: NodeClass = nodeOf(
  {
    ...{ name: 'TextToSvg', pythonModule: ofTheEmulator, category: 'svg', style: 'new' },
    required: {
      text: ['STRING', { default: '<svg xmlns="http://www.w3.org/2000/svg"></svg>', multiline: true }],
    },
    outputs: [{ type: 'SVG' }],
  },
  (inputs) => {
    const text = read.text(inputs, 'text');
    if (!/<svg[\s/>]/u.test(text)) throw new NodeFailure('ValueError', 'The text is no SVG document.');
    return [{ kind: 'SVG', documents: [text] } satisfies Svg];
  },
);

/** Saves SVG documents with the graph behind their first tag. */
export const saveSvg: NodeClass = {
  definition: () => definition,
  execute: instant((inputs, context) => {
    const { documents } = read.svg(inputs, 'svg');
    const prefix = read.text(inputs, 'filename_prefix', 'svg/ComfyUI');
    const metadata = metadataOf(fileMetadata(context));
    const images = documents.map((text) =>
      context.save({
        bytes: Buffer.from(text.replace(/<svg[^>]*>/gu, (tag) => `${tag}\n${metadata}`)),
        ...{ extension: 'svg', prefix, type: 'output' },
      }),
    );
    return { values: [], ui: { images } };
  }),
};

/** The values of the texts as one object. Its strings are written without `<` and `>`, which would end the section. */
const metadataOf = (texts: Readonly<Record<string, string>>): string => {
  const members = Object.entries(texts).map(([key, json]) => `${JSON.stringify(key)}: ${json}`);
  const json = `{${members.join(', ')}}`.replaceAll('<', '\\u003c').replaceAll('>', '\\u003e');
  return `  <metadata>\n<![CDATA[\n${json}\n]]>\n</metadata>\n`;
};

const definition = define({
  ...{ name: 'SaveSVGNode', pythonModule: 'comfy_extras.nodes_images', category: 'image/save' },
  description: 'Saves SVG documents as files.',
  required: {
    svg: ['SVG'],
    filename_prefix: ['STRING', { default: 'svg/ComfyUI', tooltip: 'How the file names begin.' }],
  },
  hidden: { prompt: 'PROMPT', extra_pnginfo: 'EXTRA_PNGINFO' },
  outputNode: true,
});
