import type { PoolServer } from '../../../src/pool.js';

/** A server as a pool tells of it. */
export const poolServer = (parts: Partial<PoolServer> = {}): PoolServer => ({
  name: 'attic',
  baseUrl: 'http://attic:8188',
  tags: [],
  health: 'up',
  since: 0,
  mode: 'active',
  slots: 1,
  ahead: 1,
  running: 1,
  waiting: 0,
  done: 3,
  failed: 0,
  lost: 0,
  lateEnds: 0,
  models: ['scenery-v1.safetensors'],
  speed: 1,
  memory: { total: 8_000_000_000, free: 2_000_000_000 },
  ...parts,
});
