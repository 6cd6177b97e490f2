import { checkpointNames } from '../engine/sample.js';
import { gibibyte, type Machine, usualModelBytes } from './machine.js';
import type { LedgerLoad } from '../ledger.js';
import { NodeFailure } from '../engine/node-class.js';
import type { NodeNeeds, ReserveDevice } from '../scheduler/node-needs.js';
import type { Pace } from '../pace.js';

/** The device that a local server computes on: the models that it holds, and its memory. */
export interface Device {
  /** The checkpoints on the machine's disk. */
  readonly checkpoints: readonly string[];
  /** Loads what a node needs; what was used longest ago makes room. Fails the node where there is not enough memory. */
  readonly reserve: ReserveDevice;
  /** Forgets all models that are loaded. */
  readonly unloadAll: () => void;
  /** Bytes of the device; undefined if it has none of its own. */
  readonly memory: () => { readonly total: number; readonly free: number } | undefined;
}

/** What a {@link createDevice} works with. */
export interface DeviceOptions {
  readonly machine: Machine;
  readonly pace: Pace;
  readonly speed: number;
  /** Called with each model that is loaded, when it begins. */
  readonly onLoad: (model: LedgerLoad['model']) => void;
}

/** A device that has loaded nothing. */
export const createDevice = ({ machine, pace, speed, onLoad }: DeviceOptions): Device => {
  const { memory = 0, models, loadMsPerGiB = 0 } = machine;
  const checkpoints = models === undefined ? checkpointNames : Object.keys(models);
  /** By name, the one that was used last at the end. */
  const loaded = new Map<string, number>();
  const bytesOf = (name: string): number => models?.[name]?.bytes ?? usualModelBytes;
  const loadMsOf = (name: string): number =>
    models?.[name]?.loadMs ?? (bytesOf(name) / gibibyte) * loadMsPerGiB;
  const used = (): number => [...loaded.values()].reduce((all, bytes) => all + bytes, 0);

  const makeRoom = (needs: NodeNeeds): void => {
    const missing = needs.models
      .filter((name) => !loaded.has(name))
      .reduce((all, name) => all + bytesOf(name), 0);
    const isOver = (): boolean => used() + missing + needs.pixels * bytesOfPixel > memory;
    for (const name of [...loaded.keys()]) if (isOver() && !needs.models.includes(name)) loaded.delete(name);
    if (!isOver()) return;
    // As the engine does: it starts afresh.
    loaded.clear();
    throw new NodeFailure('torch.OutOfMemoryError', 'Allocation on device ', tip);
  };

  return {
    checkpoints,
    unloadAll: () => loaded.clear(),
    memory: () => (memory === 0 ? undefined : { total: memory, free: Math.max(0, memory - used()) }),
    reserve: async (needs, signal, whileLoading) => {
      if (memory > 0) makeRoom(needs);
      for (const name of needs.models) {
        const isNew = !loaded.delete(name);
        loaded.set(name, bytesOf(name));
        if (!isNew) continue;
        onLoad(name);
        const loadMs = loadMsOf(name) / speed;
        if (loadMs > 0) await whileLoading(() => pace.pause(loadMs, signal));
      }
    },
  };
};

/** What a pixel of the pictures takes that a node works on with a model: 2 GiB for one of 1024 by 1024. */
const bytesOfPixel = 2048;

const tip =
  'This error means you ran out of memory on your GPU.\n\nTIPS: If the workflow worked before you might have accidentally set the batch_size to a large number.';
