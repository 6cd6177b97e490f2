import { charactersOf } from '../../../core/protocol/json/is-larger-than.js';
import type { JobState } from '../../../core/state/job-state.js';
import { withoutPrototype } from '../../../core/state/outputs.js';

/** How many characters, as JSON, a gateway keeps of the outputs of one job: 8 Mi. */
export const maxOutputCharacters = 8 * 2 ** 20;

/** The warning of a job that told more. */
const isIncomplete =
  'The outputs of this job have more than 8 Mi characters, the bound of the gateway: those of some nodes are left out, which its record at the service has.';

/**
 * Makes what leaves out of a job's outputs those nodes that have no room, in the order in which they told them; a state without all of them
 * says so in a warning.
 *
 * The registry keeps the outputs of all jobs in memory, and a workflow of one caller may tell any number.
 */
export const boundOutputs = (
  most = maxOutputCharacters,
): (<State extends JobState>(state: State) => State) => {
  const sizes = new WeakMap<object, number>();
  const sizeOf = (outputs: object): number => {
    const size = sizes.get(outputs) ?? charactersOf(outputs, most);
    sizes.set(outputs, size);
    return size;
  };
  const bounded = new WeakMap<JobState['outputs'], JobState['outputs']>();
  const fitting = (outputs: JobState['outputs']): JobState['outputs'] => {
    const known = bounded.get(outputs);
    if (known !== undefined) return known;
    let left = most;
    const kept = Object.entries(outputs).filter(([nodeId, node]) => {
      const size = nodeId.length + sizeOf(node);
      const fits = size <= left;
      if (fits) left -= size;
      return fits;
    });
    const isWhole = kept.length === Object.keys(outputs).length;
    const all = isWhole ? outputs : withoutPrototype(Object.fromEntries(kept));
    bounded.set(outputs, all);
    return all;
  };
  return (state) => {
    const outputs = fitting(state.outputs);
    if (outputs === state.outputs) return state;
    const warnings = [...new Set([...state.warnings, isIncomplete])];
    return { ...state, outputs, outputsComplete: false, warnings };
  };
};
