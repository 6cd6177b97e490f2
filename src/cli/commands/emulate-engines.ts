import { type Emulator, type EmulatorOptions, type Machine, readFaults } from '../../emulator.js';
import { firstValueFrom } from 'rxjs';
import { fromAbortSignal } from '../../node.js';
import type { ExitName } from '../exit-code.js';
import { readJson } from '../input/read-json.js';
import type { Session } from '../run-command.js';
import { UsageError } from '../cli-io.js';

/** What a file of machines says of one engine. */
type EngineOptions = Pick<EmulatorOptions, 'speed' | 'machine' | 'faults' | 'seed'>;

/** Which engines are played. */
export interface EnginesFlags {
  /** How many; default one for each machine of the file. */
  readonly engines?: number;
  readonly machines?: string;
}

/** Plays several local servers in one process until Ctrl-C, whose ids and pictures differ by their seeds. */
export const emulateEngines = async (
  session: Session,
  options: EmulatorOptions,
  { engines, machines }: EnginesFlags,
  start: (options: EmulatorOptions) => Promise<Emulator>,
): Promise<ExitName> => {
  const { report, stop, enterStage } = session;
  const kinds = machines === undefined ? [{}] : await readMachines(session, machines);
  const count = engines ?? kinds.length;
  if (count === 0 || options.dialect !== 'local')
    throw new UsageError('--engines takes a number from 1, and --machines a list; both with --dialect local');
  const { port = 0, seed = 1 } = options;
  const emulators: Emulator[] = [];
  try {
    for (let at = 0; at < count; at += 1) {
      const own = {
        ...options,
        seed: seed + at,
        port: port === 0 ? 0 : port + at,
        ...kinds[at % kinds.length],
      };
      emulators.push(await start(own));
    }
    enterStage('serve');
    report({ kind: 'engines', baseUrls: emulators.map(({ baseUrl }) => baseUrl) });
    await firstValueFrom(fromAbortSignal(stop), { defaultValue: undefined });
    return 'done';
  } finally {
    await Promise.all(emulators.map((emulator) => emulator.close()));
  }
};

/** Reads a list with an object for each engine: `speed`, the members of its machine, and `faults`. */
const readMachines = async (
  { io: { stdin }, stop }: Session,
  file: string,
): Promise<readonly EngineOptions[]> => {
  const { value } = await readJson(file, { stdin, stop });
  const name = file === '-' ? 'standard input' : file;
  if (!Array.isArray(value) || value.length === 0)
    throw new UsageError(`the machines of ${name}: takes a list with an object for each engine`);
  return value.map((engine: unknown, at) => engineOf(engine, `the machines of ${name}: [${at}]`));
};

const engineOf = (engine: unknown, place: string): EngineOptions => {
  if (typeof engine !== 'object' || engine === null || Array.isArray(engine))
    throw new UsageError(`${place} takes an object`);
  const { speed, faults, ...machine } = engine as {
    readonly speed?: unknown;
    readonly faults?: unknown;
  } & Machine;
  if (speed !== undefined && !(typeof speed === 'number' && speed > 0))
    throw new UsageError(`${place}.speed takes a number above 0`);
  const read = faults === undefined ? { faults: [] } : readFaults(faults);
  if ('problems' in read) throw new UsageError(`${place}.${read.problems.join('; ')}`);
  return { ...(speed !== undefined && { speed }), ...(faults !== undefined && read), machine };
};
