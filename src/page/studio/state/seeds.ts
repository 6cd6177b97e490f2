import type { FormField } from '../../../workflow.js';

/** How a seed changes from run to run: a new one each time, the one that stands there, or the next one. */
export type SeedMode = 'random' | 'fixed' | 'next';

export const seedModes: readonly SeedMode[] = ['random', 'fixed', 'next'];

/** A number that a page holds exactly. */
const largest = Number.MAX_SAFE_INTEGER;

/** The seed of a run, and the one that stands in the form after it. */
export const seedOf = (
  mode: SeedMode,
  { value, min = 0, max = largest }: Pick<FormField, 'value' | 'min' | 'max'>,
  random: () => number,
): { readonly now: unknown; readonly after: unknown } => {
  const top = Math.min(max, largest);
  if (mode === 'fixed') return { now: value, after: value };
  if (mode === 'next') {
    const now = Number(value ?? min);
    return { now: value ?? min, after: now + 1 > top ? min : now + 1 };
  }
  const drawn = Math.floor(min + random() * Math.min(top - min, 2 ** 32));
  return { now: drawn, after: drawn };
};
