import { inspect } from 'node:util';

/** The machine of a `local` server: the models on its disk, and the memory of its device. */
export interface Machine {
  /** Memory of the device in bytes; default 0: no device but the processor, and no limit. */
  readonly memory?: number | undefined;
  /**
   * The checkpoints that it has, by file name. Default: `scenery-v1.safetensors` and `scenery-v2.safetensors`, of 2 GiB each. A submission that
   * names any other is refused.
   */
  readonly models?: Readonly<Record<string, MachineModel>> | undefined;
  /** How long it takes at speed 1 to load 1 GiB of a model, in milliseconds; default 0. */
  readonly loadMsPerGiB?: number | undefined;
}

/** A checkpoint on the disk of a {@link Machine}. */
export interface MachineModel {
  /** Its size, which it takes of the device's memory as well; default 2 GiB. */
  readonly bytes?: number | undefined;
  /** How long it takes at speed 1 to load it, in milliseconds; default by its size and `loadMsPerGiB`. */
  readonly loadMs?: number | undefined;
}

/** Bytes of a GiB. */
export const gibibyte = 2 ** 30;

/** The size of a checkpoint that tells none. */
export const usualModelBytes = 2 * gibibyte;

/** Throws a `RangeError` that names what is wrong with a machine. */
export const checkMachine = (machine: unknown): void => {
  if (!isRecord(machine))
    throw new RangeError(`machine is ${inspect(machine)}; it takes memory, models and loadMsPerGiB`);
  onlyKnown(machine, ['memory', 'models', 'loadMsPerGiB'], 'machine');
  amountOf(machine['memory'], 'machine.memory');
  amountOf(machine['loadMsPerGiB'], 'machine.loadMsPerGiB');
  const models = machine['models'] ?? {};
  if (!isRecord(models))
    throw new RangeError('machine.models takes an object: file name to { bytes, loadMs }');
  for (const [name, model] of Object.entries(models)) {
    const place = `machine.models[${inspect(name)}]`;
    if (!isRecord(model)) throw new RangeError(`${place} takes { bytes, loadMs }, or {} for a usual one`);
    onlyKnown(model, ['bytes', 'loadMs'], place);
    amountOf(model['bytes'], `${place}.bytes`);
    amountOf(model['loadMs'], `${place}.loadMs`);
  }
};

const onlyKnown = (
  members: Readonly<Record<string, unknown>>,
  known: readonly string[],
  place: string,
): void => {
  for (const name of Object.keys(members))
    if (!known.includes(name)) throw new RangeError(`${place} has no ${name}; it takes ${known.join(', ')}`);
};

const amountOf = (value: unknown, place: string): void => {
  if (value !== undefined && !(typeof value === 'number' && Number.isFinite(value) && value >= 0))
    throw new RangeError(`${place} is ${inspect(value)}; it takes a finite number from 0`);
};

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
