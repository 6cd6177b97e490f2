import { engineSet } from './engine-values.js';
import { kept } from '../kept.js';
import type { InputDefinition } from '../definitions.js';

/** The choices of an input by the engine's equality; undefined where the definition lists none. */
export const choicesOf = ({ choices }: InputDefinition): EngineSet | undefined => choices && setOf(choices);

/** Whether an input takes several of its choices at once, which the older form of a list never does. */
export const isMultiple = ({ options, isListForm }: InputDefinition): boolean =>
  !isListForm && (options['multiselect'] === true || (options['multi_select'] ?? false) !== false);

/** Whether the choices look like files, which come and go on the server. */
export const areFiles = ({ choices }: InputDefinition): boolean =>
  choices !== undefined && choices.length > 0 && lookLikeFiles(choices);

type EngineSet = ReturnType<typeof engineSet>;

/** Long lists of files stand in many nodes, so what is known of a list is kept as long as the list. */
const keptOf = <A>(read: (choices: readonly unknown[]) => A): ((choices: readonly unknown[]) => A) => {
  const known = new WeakMap<readonly unknown[], A>();
  return (choices) => kept(known, choices, read);
};

const setOf = /* @__PURE__ */ keptOf(engineSet);

/** Those of the choices that are texts. */
export const textsOf = /* @__PURE__ */ keptOf((choices): readonly string[] =>
  choices.filter((choice) => typeof choice === 'string'),
);

const lookLikeFiles = /* @__PURE__ */ keptOf((choices) =>
  choices
    .slice(0, 100)
    .every((choice) => typeof choice === 'string' && /[^/\\]\.[A-Za-z][A-Za-z0-9]{1,11}$/u.test(choice)),
);
