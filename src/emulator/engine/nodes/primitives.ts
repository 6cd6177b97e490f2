import { define, instant } from '../define.js';
import type { InputSpec, NodeClass } from '../node-class.js';

/** A class that returns the value of its widget. */
const primitive = (name: string, title: string, type: string, options: InputSpec[1]): NodeClass => {
  const definition = define({
    name,
    title,
    style: 'new',
    pythonModule: 'comfy_extras.nodes_primitive',
    category: 'utils/primitive',
    required: { value: [type, options] },
    outputs: [{ type }],
  });
  return {
    definition: () => definition,
    execute: instant((inputs) => ({ values: [inputs['value']] })),
  };
};

const largest = 9_223_372_036_854_775_807n;
const bounds = { min: -largest, max: largest };

const comboDefinition = define({
  name: 'CustomCombo',
  title: 'Custom Combo',
  style: 'new',
  pythonModule: 'comfy_extras.nodes_logic',
  category: 'utilities',
  required: { choice: ['COMBO', { multiselect: false, options: [] }] },
  outputs: [{ type: 'STRING' }, { type: 'INT', name: 'INDEX' }],
  flags: { experimental: true },
});

/** Returns its choice and where that stands among the options, which the editor adds as inputs. */
const customCombo: NodeClass = {
  definition: () => comboDefinition,
  takesAnything: true,
  execute: instant((inputs) => ({ values: [inputs['choice'], inputs['index'] ?? 0] })),
};

/** Classes that hold one value each. */
export const primitives: readonly NodeClass[] = [
  primitive('PrimitiveString', 'String', 'STRING', { multiline: false }),
  primitive('PrimitiveStringMultiline', 'String (Multiline)', 'STRING', { multiline: true }),
  primitive('PrimitiveInt', 'Int', 'INT', { ...bounds, control_after_generate: true }),
  primitive('PrimitiveFloat', 'Float', 'FLOAT', bounds),
  primitive('PrimitiveBoolean', 'Boolean', 'BOOLEAN', {}),
  customCombo,
];
