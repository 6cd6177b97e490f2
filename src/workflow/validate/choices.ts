import type { InputDefinition } from '../definitions.js';
import { engineSet } from './engine-values.js';

/** The choices of an input by the engine's equality; undefined where the definition lists none. */
export const choicesOf = (input: InputDefinition): EngineSet | undefined => {
  const { choices } = input;
  if (choices === undefined) return undefined;
  let set = sets.get(choices);
  if (set === undefined) sets.set(choices, (set = engineSet(choices)));
  return set;
};

type EngineSet = ReturnType<typeof engineSet>;

// Long lists of files stand in many nodes.
const sets = /* @__PURE__ */ new WeakMap<readonly unknown[], EngineSet>();

/** Whether an input takes several of its choices at once. */
export const isMultiple = ({ options }: InputDefinition): boolean =>
  options['multiselect'] === true || (options['multi_select'] ?? false) !== false;

/** Whether the choices look like files, which come and go on the server. */
export const areFiles = ({ choices = [] }: InputDefinition): boolean =>
  choices.length > 0 &&
  choices.slice(0, 100).every((choice) => typeof choice === 'string' && hasExtension.test(choice));

const hasExtension = /[^/\\]\.[A-Za-z][A-Za-z0-9]{1,11}$/u;
