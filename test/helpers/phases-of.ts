/** The phases of states, each once in a row. */
export const phasesOf = (states: readonly { readonly phase: string }[]): readonly string[] =>
  states.map(({ phase }) => phase).filter((phase, index, all) => phase !== all[index - 1]);
