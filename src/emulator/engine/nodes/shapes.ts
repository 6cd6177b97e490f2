import { batchSize, nodeOf } from './node-of.js';
import { cubeFaces } from '../meshes/cube-faces.js';
import { emptyLatentOf, formOf } from '../latent-form.js';
import type { InputSpec, NodeClass } from '../node-class.js';
import type { Latent } from '../values.js';
import { type Inputs, read, tagged } from '../read.js';
import type { Surface, VoxelGrid } from '../meshes/mesh.js';
import { surfaceNet } from '../meshes/surface-net.js';

/** The value of an output of type `VOXEL`: a batch of shapes, each by a grid. */
interface Voxels {
  readonly kind: 'VOXEL';
  readonly grids: readonly VoxelGrid[];
}

/** The value of an output of type `MESH`: the surfaces of a batch. */
interface Mesh {
  readonly kind: 'MESH';
  readonly surfaces: readonly Surface[];
}

/** Says whether a value is a mesh. */
export const isMesh = (value: unknown): value is Mesh =>
  typeof value === 'object' && value !== null && (value as Partial<Mesh>).kind === 'MESH';

/** Places along an edge of a grid at most: enough to see the shape, and few enough for a test. */
const maxPlaces = 32;

/** A ball with a relief: the latent's brightness in each direction from its middle. */
const shapeOf = ({ grid }: Latent, sample: Float32Array, size: number): VoxelGrid => {
  const values = new Float32Array(size ** 3);
  const half = (size - 1) / 2;
  for (let at = 0; at < values.length; at += 1) {
    const [x, y, z] = [at % size, Math.floor(at / size) % size, Math.floor(at / size / size)].map(
      (place) => (place - half) / (half || 1),
    ) as [number, number, number];
    const length = Math.hypot(x, y, z);
    const column = Math.min(grid.width - 1, Math.floor((Math.atan2(y, x) / Math.PI / 2 + 0.5) * grid.width));
    const row = Math.min(grid.height - 1, Math.floor((z / (length || 1) / 2 + 0.5) * grid.height));
    const brightness = (sample[(row * grid.width + column) * 3 + 1] ?? 0) / 255;
    // At the usual threshold of 0.6, the surface is a half to nine tenths of the way from the middle to a side.
    values[at] = Math.max(-1, Math.min(1, 0.6 + 4 * (0.5 + brightness * 0.4 - length)));
  }
  return { size, values };
};

const threshold: InputSpec = ['FLOAT', { default: 0.6, min: -1, max: 1, step: 0.01 }];
const common = { pythonModule: 'comfy_extras.nodes_hunyuan3d' } as const;

const meshOf = (
  inputs: Inputs,
  surfaceOf: (grid: VoxelGrid, threshold: number) => Surface,
): readonly Mesh[] => {
  const { grids } = tagged<Voxels>(inputs, 'voxel', 'VOXEL');
  const level = read.number(inputs, 'threshold');
  return [{ kind: 'MESH', surfaces: grids.map((grid) => surfaceOf(grid, level)) }];
};

/** The engine's classes from the latent of a shape to its surface. */
export const shapes: readonly NodeClass[] = [
  nodeOf(
    {
      ...{ ...common, name: 'EmptyLatentHunyuan3Dv2', category: 'latent/3d', outputs: [{ type: 'LATENT' }] },
      required: { resolution: ['INT', { default: 3072, min: 1, max: 8192 }], batch_size: batchSize },
    },
    (inputs) => [
      emptyLatentOf(
        { type: 'hunyuan3dv2', shape: [64, read.number(inputs, 'resolution')] },
        read.number(inputs, 'batch_size'),
      ),
    ],
  ),
  nodeOf(
    {
      ...{ ...common, name: 'VAEDecodeHunyuan3D', category: 'latent/3d', outputs: [{ type: 'VOXEL' }] },
      required: {
        ...{ samples: ['LATENT'], vae: ['VAE'] },
        num_chunks: ['INT', { default: 8000, min: 1000, max: 500_000 }],
        octree_resolution: ['INT', { default: 256, min: 16, max: 512 }],
      },
    },
    (inputs) => {
      read.part(inputs, 'vae', 'VAE');
      const latent = read.latent(inputs, 'samples');
      formOf(latent, 'hunyuan3dv2');
      const size = Math.min(maxPlaces, read.number(inputs, 'octree_resolution') + 1);
      return [
        {
          kind: 'VOXEL',
          grids: latent.samples.map((sample) => shapeOf(latent, sample, size)),
        } satisfies Voxels,
      ];
    },
  ),
  nodeOf(
    {
      ...{ ...common, name: 'VoxelToMeshBasic', category: '3d', outputs: [{ type: 'MESH' }] },
      required: { voxel: ['VOXEL'], threshold },
    },
    (inputs) => meshOf(inputs, cubeFaces),
  ),
  nodeOf(
    {
      ...{ ...common, name: 'VoxelToMesh', category: '3d', outputs: [{ type: 'MESH' }] },
      required: { voxel: ['VOXEL'], algorithm: [['surface net', 'basic']], threshold },
    },
    (inputs) => meshOf(inputs, read.text(inputs, 'algorithm') === 'basic' ? cubeFaces : surfaceNet),
  ),
];
