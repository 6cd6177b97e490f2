import { define } from '../define.js';
import { instant } from '../instant.js';
import type { NodeClass, Value } from '../node-class.js';
import { isImages } from '../read.js';

/** Shows any value as text: as progress text while it runs, and as the node's output. */
export const previewText: NodeClass = {
  definition: () => definition,
  execute: instant((inputs, context) => {
    const texts = textsOf(inputs['source']);
    for (const text of texts) context.text(text);
    return { values: [texts.join('\n')], ui: { text: texts } };
  }),
};

const textsOf = (value: Value): readonly string[] =>
  isImages(value)
    ? value.map(({ width, height }) => `picture ${width} × ${height}`)
    : Array.isArray(value)
      ? value.flatMap(textsOf)
      : [typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value, plain)];

const plain = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint'
    ? value.toString()
    : ArrayBuffer.isView(value)
      ? `${value.byteLength} bytes`
      : value;

const definition = define({
  name: 'PreviewText',
  title: 'Preview Text',
  category: 'utils',
  required: { source: ['*', {}] },
  outputs: [{ type: 'STRING' }],
  outputNode: true,
});
