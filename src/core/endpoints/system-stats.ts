import * as E from '../protocol/either.js';
import type { Endpoint } from './endpoint.js';
import { isJsonObject } from '../protocol/json/json.js';

/** `GET /api/system_stats`: what the machine of a server is (docs/protocol.md, chapter 2). */
export const systemStatsEndpoint = (): Endpoint<SystemStats> => ({
  method: 'GET',
  path: '/api/system_stats',
  idempotency: 'always',
  read: readSystemStats,
});

/** What a server tells of its machine; both are open objects, of which any member may be absent. */
export interface SystemStats {
  /** Versions and main memory: `comfyui_version`, `ram_total`, `ram_free`, … */
  readonly system: Readonly<Record<string, unknown>>;
  /** The devices that it computes on; empty if it tells none, as a cloud service. */
  readonly devices: readonly DeviceStats[];
}

/** One device. */
export interface DeviceStats {
  /** Such as `cuda:0 NVIDIA GeForce RTX 4090`. */
  readonly name?: string;
  /** Such as `cuda` or `cpu`. */
  readonly type?: string;
  /** Its memory in bytes. */
  readonly vram_total?: number;
  /** So much of it is free. */
  readonly vram_free?: number;
  /** Members that vary by engine, as sent. */
  readonly [member: string]: unknown;
}

/** Reads what a server tells of its machine; Left if the answer is no object. */
export const readSystemStats = (json: unknown): E.Either<string, SystemStats> => {
  if (!isJsonObject(json)) return E.left('the stats are no object');
  const { system, devices } = json;
  return E.right({
    system: isJsonObject(system) ? system : {},
    devices: Array.isArray(devices) ? devices.filter(isJsonObject) : [],
  });
};
