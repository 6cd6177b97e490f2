import { insideOf, type Surface, SurfaceBuilder, type VoxelGrid } from './mesh.js';

type Place = readonly [x: number, y: number, z: number];

/** For each side of a cube: the neighbour there, and its corners as they are seen from it, against the clock. */
const sides: readonly { readonly toward: Place; readonly corners: readonly [Place, Place, Place, Place] }[] =
  [
    {
      toward: [1, 0, 0],
      corners: [
        [1, 0, 0],
        [1, 1, 0],
        [1, 1, 1],
        [1, 0, 1],
      ],
    },
    {
      toward: [-1, 0, 0],
      corners: [
        [0, 0, 0],
        [0, 0, 1],
        [0, 1, 1],
        [0, 1, 0],
      ],
    },
    {
      toward: [0, 1, 0],
      corners: [
        [0, 1, 0],
        [0, 1, 1],
        [1, 1, 1],
        [1, 1, 0],
      ],
    },
    {
      toward: [0, -1, 0],
      corners: [
        [0, 0, 0],
        [1, 0, 0],
        [1, 0, 1],
        [0, 0, 1],
      ],
    },
    {
      toward: [0, 0, 1],
      corners: [
        [0, 0, 1],
        [1, 0, 1],
        [1, 1, 1],
        [0, 1, 1],
      ],
    },
    {
      toward: [0, 0, -1],
      corners: [
        [0, 0, 0],
        [0, 1, 0],
        [1, 1, 0],
        [1, 0, 0],
      ],
    },
  ];

/** The surface of a shape as cubes: the sides at which a place of it has no neighbour, each with corners of its own. */
export const cubeFaces = (grid: VoxelGrid, threshold: number): Surface => {
  const isInside = insideOf(grid, threshold);
  const surface = new SurfaceBuilder();
  for (let z = 0; z < grid.size; z += 1)
    for (let y = 0; y < grid.size; y += 1)
      for (let x = 0; x < grid.size; x += 1) {
        if (!isInside(x, y, z)) continue;
        const corner = ([dx, dy, dz]: Place): number => surface.corner(x + dx, y + dy, z + dz);
        for (const { toward, corners } of sides) {
          if (isInside(x + toward[0], y + toward[1], z + toward[2])) continue;
          const [a, b, c, d] = corners;
          surface.square([corner(a), corner(b), corner(c), corner(d)]);
        }
      }
  return surface.build(grid.size);
};
