import type { DerivedFigure, Figure } from './figure.js';
import { nameOf } from './old-numbers.js';

/** What a run of the board plays. */
export interface Choice {
  /** The figures that get a line. */
  readonly ids: readonly string[];
  /** 1 is the whole of each figure. */
  readonly scale: number;
  /** Every figure of the client, which is the board. */
  readonly isWhole: boolean;
  /** Whether the records are written. */
  readonly isKept: boolean;
}

/** What there is to choose from. */
export interface Offer {
  readonly figures: readonly Pick<Figure, 'id' | 'isPart'>[];
  readonly derived: readonly Pick<DerivedFigure, 'id' | 'overAll'>[];
  /** The ids of each group, by its name; a run that names nothing plays the client's. */
  readonly groups: Readonly<Record<string, readonly string[]>> & { readonly client: readonly string[] };
}

/**
 * Reads the arguments of a run: names of figures (or the numbers that they had before) and of groups, `--scale`, `--keep`; it is of the client's figures where
 * none is named. A string says why the run cannot be made.
 */
export const choose = (argv: readonly string[], { figures, derived, groups }: Offer): Choice | string => {
  const all = [...figures.filter(({ isPart }) => isPart !== true), ...derived].map(({ id }) => id);
  const scaleAt = argv.indexOf('--scale');
  const scale = scaleAt === -1 ? 1 : Number(argv[scaleAt + 1]);
  if (!(scale > 0)) return 'the scale is a number above 0';
  const words = argv
    .filter((word, place) => word !== '--keep' && (scaleAt === -1 || place < scaleAt || place > scaleAt + 1))
    .map(nameOf);
  const unknown = words.find((word) => !all.includes(word) && groups[word] === undefined);
  if (unknown !== undefined)
    return `there is no ${unknown}, only ${[...Object.keys(groups), ...all].join(', ')}`;
  const named = words.length === 0 ? groups.client : words.flatMap((word) => groups[word] ?? [word]);
  const ids = all.filter((id) => named.includes(id));
  const isWhole = groups.client.every((id) => ids.includes(id));
  if (!argv.includes('--keep')) return { ids, scale, isWhole, isKept: isWhole && scale === 1 };
  if (scale !== 1) return `only whole figures are kept, not those of --scale ${scale}`;
  const partial = derived.find(({ id, overAll }) => overAll === true && ids.includes(id));
  return !isWhole && partial !== undefined
    ? `${partial.id} is of all figures: only a run of the whole board keeps it`
    : { ids, scale, isWhole, isKept: true };
};
