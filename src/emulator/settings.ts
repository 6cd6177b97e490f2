import { checkOptions } from './check-options.js';
import { createFfmpeg, type Ffmpeg } from './engine/codecs/ffmpeg.js';
import type { Dialect, EmulatorOptions, InterfaceRow, Tier } from './options.js';
import type { Switches } from './switches.js';
import { type EmulatorClock, realClock } from './clock.js';
import type { Engine } from './local/engine.js';
import type { Machine } from './local/machine.js';
import { type EngineFacts, engines } from './local/engine-facts.js';
import { localSwitches, profiles, v2Profiles } from './profiles.js';

/** The options of one emulator with every default filled in. */
export interface Settings {
  readonly dialect: Dialect;
  /** The release that a local server plays, and what it does. */
  readonly engine: Engine;
  readonly facts: EngineFacts;
  readonly machine: Machine;
  readonly port: number;
  readonly tier: Tier;
  readonly switches: Switches;
  /** `Infinity` for no delay. */
  readonly speed: number;
  readonly seed: number;
  readonly clock: EmulatorClock;
  /** Jobs of one account that run at once. */
  readonly concurrency: number;
  readonly allowOrigin: string | undefined;
  readonly ffmpeg: Ffmpeg;
  /** False for a row of the interface that is switched off. */
  readonly has: (row: InterfaceRow) => boolean;
}

/**
 * Fills in the defaults. A tier that is switched off runs one job more than documented.
 * Throws a `RangeError` for an invalid option.
 */
export const resolveSettings = (options: EmulatorOptions): Settings => {
  checkOptions(options);
  const without = new Set(options.without);
  const dialect = options.dialect ?? 'cloud';
  const engine = options.engine ?? '0.3.64';
  const has = (row: InterfaceRow): boolean => !without.has(row);
  const tier = options.tier ?? 'creator';
  const concurrency = concurrencyOf(options.concurrency, tierNumbers[tier] + (has(`tier:${tier}`) ? 0 : 1));
  const speed = options.speed ?? 1;
  if (!(speed > 0)) throw new RangeError(`speed is ${speed}; it takes a number above 0, or Infinity`);
  if (!(concurrency >= 1)) throw new RangeError(`concurrency is ${concurrency}; it takes 1 or more`);
  const documented = {
    local: { ...localSwitches, ...engines[engine].switches },
    v2: v2Profiles[options.profile ?? 'interface'],
    cloud: profiles[options.profile ?? 'interface'],
  }[dialect];
  return {
    dialect,
    engine,
    facts: engines[engine],
    machine: options.machine ?? {},
    port: options.port ?? 0,
    tier,
    switches: { ...documented, ...options.switches },
    speed,
    seed: options.seed ?? 1,
    clock: options.clock ?? realClock,
    concurrency,
    allowOrigin: options.allowOrigin,
    ffmpeg: createFfmpeg(options.ffmpeg),
    has,
  };
};

const tierNumbers: Readonly<Record<Tier, number>> = { free: 1, standard: 1, creator: 3, pro: 5 };

const concurrencyOf = (option: EmulatorOptions['concurrency'], ofTier: number): number =>
  option === 'unlimited' ? Infinity : (option ?? ofTier);
