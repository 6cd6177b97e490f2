import { insideOf, type Surface, SurfaceBuilder, type VoxelGrid } from './mesh.js';

type Place = readonly [x: number, y: number, z: number];

const directions: readonly Place[] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

const plus = (one: Place, other: Place, times = 1): Place => [
  one[0] + other[0] * times,
  one[1] + other[1] * times,
  one[2] + other[2] * times,
];

/** The edges of a cell, by where each begins and in which direction it goes. */
const edges: readonly (readonly [from: Place, direction: Place])[] = directions.flatMap((direction, axis) => {
  const [one, other] = [directions[(axis + 1) % 3] ?? direction, directions[(axis + 2) % 3] ?? direction];
  const begins: readonly Place[] = [[0, 0, 0], one, other, plus(one, other)];
  return begins.map((begin) => [begin, direction] as const);
});

/**
 * The smooth surface of a shape: a corner in each cell of eight places that it passes through, amid the edges that it cuts, and a square
 * around each edge from a place inside to one outside.
 */
export const surfaceNet = (grid: VoxelGrid, threshold: number): Surface => {
  const isInside = insideOf(grid, threshold);
  const surface = new SurfaceBuilder();
  const numbers = new Map<string, number>();

  /** The corner of the cell whose first place this is. */
  const cornerOf = (cell: Place): number => {
    const key = cell.join();
    const known = numbers.get(key);
    if (known !== undefined) return known;
    const cuts = edges.flatMap(([begin, direction]) => {
      const from = plus(cell, begin);
      const isCut = isInside(...from) !== isInside(...plus(from, direction));
      return isCut ? [plus(from, direction, cutAt(grid, threshold, from, plus(from, direction)))] : [];
    });
    const sum = cuts.reduce((total, cut) => plus(total, cut));
    // A place is the middle of its cube.
    const made = surface.corner(...plus([0.5, 0.5, 0.5], sum, 1 / cuts.length));
    numbers.set(key, made);
    return made;
  };

  for (let z = -1; z < grid.size; z += 1)
    for (let y = -1; y < grid.size; y += 1)
      for (let x = -1; x < grid.size; x += 1)
        for (const [axis, direction] of directions.entries()) {
          const place: Place = [x, y, z];
          const isFrom = isInside(...place);
          if (isFrom === isInside(...plus(place, direction))) continue;
          const [u, v] = [directions[(axis + 1) % 3] ?? direction, directions[(axis + 2) % 3] ?? direction];
          const cells = [
            plus(plus(place, u, -1), v, -1),
            plus(place, v, -1),
            place,
            plus(place, u, -1),
          ] as const;
          const [a, b, c, d] = cells.map(cornerOf) as [number, number, number, number];
          surface.square(isFrom ? [a, b, c, d] : [d, c, b, a]);
        }
  return surface.build(grid.size);
};

/** How far from one place to the next the threshold is; half-way where one of them lies beyond the grid. */
const cutAt = ({ size, values }: VoxelGrid, threshold: number, from: Place, to: Place): number => {
  const at = ([x, y, z]: Place): number | undefined =>
    Math.min(x, y, z) < 0 || Math.max(x, y, z) >= size ? undefined : values[(z * size + y) * size + x];
  const [one, other] = [at(from), at(to)];
  return one === undefined || other === undefined ? 0.5 : (threshold - one) / (other - one);
};
