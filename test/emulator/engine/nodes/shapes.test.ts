import { describe, expect, it } from 'vitest';
import type { Latent } from '../../../../src/emulator/engine/values.js';
import { recordingContext, runNode } from '../run-node.js';
import type { Surface } from '../../../../src/emulator/engine/meshes/mesh.js';
import { workflowIn } from '../../../../src/workflow.js';

const vae = { kind: 'VAE', checkpoint: 'c' };

const make = async <T>(name: string, inputs: Readonly<Record<string, unknown>>): Promise<T> =>
  (await runNode(name, inputs)).values[0] as T;

const voxels = async (batchSize = 1) => {
  const samples = await make<Latent>('EmptyLatentHunyuan3Dv2', { resolution: 64, batch_size: batchSize });
  return make('VAEDecodeHunyuan3D', { samples, vae, num_chunks: 8000, octree_resolution: 16 });
};

const ways = [
  ['VoxelToMeshBasic', {}],
  ['VoxelToMesh', { algorithm: 'basic' }],
  ['VoxelToMesh', { algorithm: 'surface net' }],
] as const;

/** Six times the volume that the triangles enclose; positive where each is seen from outside against the clock. */
const volumeOf = ({ corners, triangles }: Surface): number => {
  const corner = (at: number) => Array.from(corners.subarray(triangles[at]! * 3, triangles[at]! * 3 + 3));
  let volume = 0;
  for (let at = 0; at < triangles.length; at += 3) {
    const [[ax, ay, az], [bx, by, bz], [cx, cy, cz]] = [corner(at), corner(at + 1), corner(at + 2)] as [
      ...[[number, number, number], [number, number, number], [number, number, number]],
    ];
    volume += ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
  }
  return volume;
};

/** The sides of all triangles, by the places of their ends: each of a closed surface is passed once in either direction. */
const isClosed = ({ corners, triangles }: Surface): boolean => {
  const place = (at: number): string => corners.subarray(at * 3, at * 3 + 3).join();
  const sides = new Map<string, number>();
  for (let at = 0; at < triangles.length; at += 3)
    for (const side of [0, 1, 2]) {
      const [from, to] = [place(triangles[at + side]!), place(triangles[at + ((side + 1) % 3)]!)];
      sides.set(`${from} ${to}`, (sides.get(`${from} ${to}`) ?? 0) + 1);
      sides.set(`${to} ${from}`, (sides.get(`${to} ${from}`) ?? 0) - 1);
    }
  return sides.size > 0 && [...sides.values()].every((count) => count === 0);
};

describe('M11: shapes', () => {
  it.each(ways)('have a closed surface by %s of %j, around what is inside', async (name, more) => {
    const { surfaces } = await make<{ surfaces: readonly Surface[] }>(name, {
      ...{ voxel: await voxels(2), threshold: 0.6, ...more },
    });
    expect(surfaces).toHaveLength(2);
    const [surface] = surfaces;
    expect(isClosed(surface!)).toBe(true);
    // A ball that reaches seven tenths of the way to each side.
    const ball = 6 * (4 / 3) * Math.PI * 0.7 ** 3;
    expect(volumeOf(surface!) / ball).toBeGreaterThan(0.75);
    expect(volumeOf(surface!) / ball).toBeLessThan(1.1);
    expect(Math.max(...surface!.corners.map(Math.abs))).toBeLessThanOrEqual(1);
  });

  it.each(ways)('shrink with the threshold, to nothing: %s of %j', async (name, more) => {
    const at = async (threshold: number) => {
      const inputs = { voxel: await voxels(), threshold, ...more };
      const { surfaces } = await make<{ surfaces: readonly Surface[] }>(name, inputs);
      return volumeOf(surfaces[0]!);
    };
    expect(await at(0.9)).toBeLessThan(await at(0.2));
    expect(await at(1)).toBe(0);
  });

  it('are saved as a file of glTF each, with the workflow in it', async () => {
    const prompt = { '1': { class_type: 'X', inputs: {} } };
    const context = recordingContext({ prompt });
    const mesh = await make('VoxelToMesh', {
      voxel: await voxels(2),
      algorithm: 'surface net',
      threshold: 0.6,
    });
    const { ui } = await runNode('SaveGLB', { mesh, filename_prefix: '3d/ball' }, context);
    expect(ui?.['3d']).toHaveLength(2);
    const bytes = Buffer.from(context.saved[1]!.bytes);
    expect(bytes.toString('latin1', 0, 4)).toBe('glTF');
    expect(bytes.readUInt32LE(8)).toBe(bytes.length);
    const length = bytes.readUInt32LE(12);
    const document = JSON.parse(bytes.toString('utf8', 20, 20 + length)) as {
      accessors: readonly { count: number; max?: readonly number[] }[];
      buffers: readonly { byteLength: number }[];
    };
    expect(bytes.readUInt32LE(20 + length)).toBe(document.buffers[0]!.byteLength);
    expect(document.accessors[0]!.max!.every((value) => value > 0.5 && value < 1)).toBe(true);
    const found = await workflowIn(context.saved[1]!.bytes);
    expect(found._tag === 'Found' && JSON.parse(found.prompt?.text ?? '')).toEqual(prompt);
  });
});
