import type { Row } from '../row.js';
import { askAllocation } from '../tools/allocation.js';

/** Adds to the rows beside the floor what one frame allocates. */
export const withAllocation = async (
  rows: readonly Row[],
  inputs: readonly { readonly what: string }[],
): Promise<readonly Row[]> => {
  const allocated = await askAllocation(
    new Map(inputs.map(({ what }) => [what, (who) => ({ of: 'decoding', what, who })])),
  );
  return rows.map((row) => {
    const found = row.against === undefined ? allocated.get(row.what) : undefined;
    return found === undefined ? row : { ...row, allocated: found };
  });
};
