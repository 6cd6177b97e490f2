import { type EngineSet, engineSet } from './engine-values.js';
import type { InputDefinition } from '../definitions.js';
import { kept } from '../kept.js';

/** The choices of an input by the engine's equality; undefined if the definition lists none. */
export const choicesOf = ({ choices }: InputDefinition): EngineSet | undefined =>
  choices && kept(sets, choices, engineSet);

/** Long lists of files stand in many nodes. */
const sets = /* @__PURE__ */ new WeakMap<readonly unknown[], EngineSet>();

/** Whether an input takes several of its choices at once, which the older form of a list never does. */
export const isMultiple = ({ options, isListForm }: InputDefinition): boolean =>
  !isListForm && (options['multiselect'] === true || (options['multi_select'] ?? false) !== false);

/** Whether choices look like files, which come and go on the server; the first of them tell. */
export const areFiles = (choices: readonly unknown[]): boolean =>
  choices.length > 0 &&
  choices
    .slice(0, 100)
    .every((choice) => typeof choice === 'string' && /[^/\\]\.[A-Za-z][A-Za-z0-9]{1,11}$/u.test(choice));
