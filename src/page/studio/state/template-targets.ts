import type { ShownInput } from './shown-inputs.js';

/** An input of a template. */
export interface Target {
  readonly id: string;
  readonly input: string;
  readonly label: string;
  readonly optional: true;
}

/** The inputs of a template, by names that no two of them share; each may be left out, as the workflow has a value. */
export const targetsOf = (shown: readonly ShownInput[]): Readonly<Record<string, Target>> => {
  const targets = new Map<string, Target>();
  for (const { nodeId, input, label } of shown) {
    const words = label.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [input];
    const name = words.join('_');
    let own = name;
    for (let count = 2; targets.has(own); count += 1) own = `${name}_${count}`;
    targets.set(own, { id: nodeId, input, label: label.trim() === '' ? input : label, optional: true });
  }
  return Object.fromEntries(targets);
};
