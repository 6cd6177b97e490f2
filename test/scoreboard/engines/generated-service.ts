import type { EmulatorOptions } from '../../../src/emulator.js';
import type { Random } from '../../simulation/random.js';
import type { ServiceJob } from './draw-job.js';
import type { Trouble } from './troubles.js';

/** A service that a seed made, with the jobs of the client and of strangers. */
export interface GeneratedService {
  readonly seed: number;
  readonly options: EmulatorOptions;
  readonly troubles: readonly Trouble[];
  readonly jobs: readonly ServiceJob[];
  /** Jobs of other programs: how many steps each takes, and whether it comes before those of the client. */
  readonly strangers: readonly { readonly steps: number; readonly isFirst: boolean }[];
}

/** Some jobs of other programs. */
export const drawStrangers = (random: Random): GeneratedService['strangers'] =>
  Array.from({ length: random.between(0, 2) }, () => ({
    steps: random.between(5, 60),
    isFirst: random.chance(0.6),
  }));

/** Services with a small limit of bodies refuse the large workflow alone. */
export const mostBytes = 60_000;
