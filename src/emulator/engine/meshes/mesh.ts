/** A surface of triangles: three coordinates for each corner, and three corners for each triangle. */
export interface Surface {
  readonly corners: Float32Array;
  readonly triangles: Uint32Array;
}

/** Numbers on a cubic grid, x fastest; a shape is where they are above a threshold. */
export interface VoxelGrid {
  /** Places along an edge. */
  readonly size: number;
  readonly values: Float32Array;
}

/** Says of a place whether it is inside of the shape; what lies beyond the grid is not. */
export const insideOf =
  ({ size, values }: VoxelGrid, threshold: number) =>
  (x: number, y: number, z: number): boolean =>
    Math.min(x, y, z) >= 0 &&
    Math.max(x, y, z) < size &&
    (values[(z * size + y) * size + x] ?? -Infinity) > threshold;

/** Collects the corners and squares of a surface; a square becomes two triangles. */
export class SurfaceBuilder {
  readonly #corners: number[] = [];
  readonly #triangles: number[] = [];

  /** Adds a corner, and answers its number. */
  corner(x: number, y: number, z: number): number {
    return this.#corners.push(x, y, z) / 3 - 1;
  }

  /** Adds a square by its corners, in the order in which they are seen from outside, against the clock. */
  square([a, b, c, d]: readonly [number, number, number, number]): void {
    this.#triangles.push(a, b, c, a, c, d);
  }

  /** The surface, scaled so that a grid of this size reaches from -1 to 1. */
  build(size: number): Surface {
    return {
      corners: Float32Array.from(this.#corners, (value) => (value / size) * 2 - 1),
      triangles: Uint32Array.from(this.#triangles),
    };
  }
}
