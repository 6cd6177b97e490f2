import { define } from '../define.js';
import { instant } from '../instant.js';
import type { NodeClass } from '../node-class.js';
import { read } from '../read.js';

/** Writes a number with a chosen count of decimals; it takes both kinds of number. */
export const numberToText: NodeClass = {
  definition: () => definition,
  execute: instant((inputs) => {
    const number = read.number(inputs, 'number');
    return { values: [number.toFixed(read.number(inputs, 'decimals', 0))] };
  }),
};

const definition = define({
  name: 'NumberToText',
  category: 'utils',
  style: 'new',
  required: { number: ['FLOAT,INT', {}] },
  optional: { decimals: ['INT', { default: 0, min: 0, max: 10 }] },
  outputs: [{ type: 'STRING' }],
});
