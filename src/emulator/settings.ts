import { billings } from './faults/fault.js';
import type { Dialect, EmulatorOptions, InterfaceRow, Switches, Tier } from './options.js';
import { type EmulatorClock, realClock } from './clock.js';
import { type Engine, type EngineFacts, engines } from './local/engine-facts.js';
import { inspect } from 'node:util';
import { isInterfaceRow } from './interface-rows.js';
import { localSwitches, profiles, v2Switches } from './profiles.js';

/**
 * Checks the names and values of all options.
 *
 * Throws a `RangeError` that names the option, its value and the values that it takes. Absent options are fine.
 */
const checkOptions = (options: EmulatorOptions): void => {
  for (const [option, value] of Object.entries(options)) {
    if (!known.has(option)) throw new RangeError(`startEmulator has no option ${option}`);
    const choice = choices.get(option);
    if (choice !== undefined) takes(option, value, choice);
  }
  for (const [name, value] of Object.entries(options.switches ?? {})) {
    if (!Object.hasOwn(localSwitches, name)) throw new RangeError(`switches has no ${name}`);
    const choice = words.get(name);
    if (choice !== undefined) takes(`switches.${name}`, value, choice);
  }
  for (const row of options.without ?? []) {
    if (!isInterfaceRow(row)) {
      throw new RangeError(
        `without has ${inspect(row)}, which is no row of the interface; see interfaceRows`,
      );
    }
  }
  for (const name of amounts) {
    const amount: unknown = options.switches?.[name];
    if (amount !== undefined && !isAmount(amount)) {
      throw new RangeError(`switches.${name} is ${inspect(amount)}; it takes a number from 0`);
    }
  }
  const recordDelay: unknown = options.switches?.recordDelayMs;
  if (
    recordDelay !== undefined &&
    recordDelay !== 'random' &&
    !(isAmount(recordDelay) && recordDelay < Infinity)
  ) {
    throw new RangeError(
      `switches.recordDelayMs is ${inspect(recordDelay)}; it takes random, or a finite number from 0`,
    );
  }
  const basePath: unknown = options.switches?.basePath;
  if (basePath !== undefined && !(typeof basePath === 'string' && /^(?:\/[\w.~-]+)*$/u.test(basePath))) {
    throw new RangeError(`switches.basePath is ${inspect(basePath)}; it takes a path such as /deployment/x`);
  }
  const { acceptKeys, port, seed, allowOrigin } = options;
  if (options.engine !== undefined && options.dialect !== 'local') {
    throw new RangeError("engine is the release of a local server: it takes dialect 'local'");
  }
  if (acceptKeys !== undefined && !isListOfKeys(acceptKeys)) {
    throw new RangeError('acceptKeys takes a list of keys, each a text of one character or more');
  }
  if (allowOrigin !== undefined && allowOrigin !== '*' && !isOrigin(allowOrigin)) {
    throw new RangeError(`allowOrigin is ${inspect(allowOrigin)}; it takes an origin without a path, or *`);
  }
  if (port !== undefined && !(Number.isInteger(port) && port >= 0 && port <= 65_535)) {
    throw new RangeError(`port is ${String(port)}; it takes an integer from 0 to 65535`);
  }
  if (seed !== undefined && !Number.isSafeInteger(seed)) {
    throw new RangeError(`seed is ${String(seed)}; it takes an integer`);
  }
};

const isAmount = (value: unknown): value is number => typeof value === 'number' && value >= 0;

const isListOfKeys = (keys: unknown): boolean =>
  Array.isArray(keys) && keys.every((key) => typeof key === 'string' && key !== '');

const isOrigin = (text: unknown): boolean =>
  typeof text === 'string' && URL.canParse(text) && new URL(text).origin === text;

const amounts = [
  ...(['historyLagMs', 'signedUrlMs', 'queueLimit', 'maxUploadBytes', 'maxPromptBytes'] as const),
  ...(['maxMessageBytes'] as const),
  ...(['requestsPerMinute', 'streamLimit', 'keepAliveMs', 'progressIntervalMs', 'retentionMs'] as const),
  ...(['keyRetentionMs', 'retryAfter', 'notReadyMs'] as const),
];

const known: ReadonlySet<string> = new Set([
  ...['dialect', 'engine', 'port', 'acceptKeys', 'tier', 'profile', 'switches', 'speed', 'seed', 'billing'],
  ...['without', 'faults', 'concurrency', 'clock', 'allowOrigin'],
]);

const choices: ReadonlyMap<string, readonly unknown[]> = new Map<string, readonly unknown[]>([
  ['dialect', ['cloud', 'local', 'v2']],
  ['engine', Object.keys(engines)],
  ['tier', ['free', 'standard', 'creator', 'pro']],
  ['profile', ['interface', '2026']],
  ['billing', billings],
]);

const words: ReadonlyMap<string, readonly unknown[]> = new Map<string, readonly unknown[]>([
  ['statusWords', ['five', 'raw']],
  ['history', ['flat', 'keyed']],
  ['statusEvent', ['flat', 'nested']],
  ['executingEnd', ['null', 'empty', 'absent', 'never']],
  ['inactiveSubscription', [429, 402]],
  ['queueDelete', ['both', 'pending']],
  ['freeTier', ['runs', '403']],
  ['storageHeaders', ['refuses', 'tolerates']],
  ['validation', ['at once', 'at pick-up']],
  ['badToken', ['refuse', 'close']],
  ['missingNode', ['invalid_prompt', 'missing_node_type']],
  ['extraDataIs', ['listed', 'dropped']],
  ['fileNames', ['hash', 'counter']],
  ['videoKey', ['video', 'images']],
  ['promptText', [true, false]],
  ['v1Routes', [true, false]],
  ['anonymous', [true, false]],
  ['apiKeyHeader', [true, false]],
  ['jobList', [true, false]],
  ['metadata', [true, false]],
  ['logs', [true, false]],
  ['content', ['redirect', 'inline']],
  ['assetLinks', ['content', 'signed']],
  ['jobLinks', ['relative', 'absolute']],
  ['outputDetails', ['known', 'unknown']],
  ['tempOutputs', [true, false]],
  ['outputEvents', ['before the end', 'after the end']],
  ['nodeErrors', ['fields', 'engine']],
  ['notFoundCode', ['specific', 'general']],
  ['queuePositionFrom', [0, 1, null]],
  ['polledProgress', [true, false]],
  ['lostJob', ['expired', 'expired with error', 'failed']],
]);

const takes = (option: string, value: unknown, choice: readonly unknown[]): void => {
  if (value !== undefined && !choice.includes(value)) {
    throw new RangeError(`${option} is ${inspect(value)}; it takes ${choice.map(String).join(', ')}`);
  }
};

/** The options of one emulator with every default filled in. */
export interface Settings {
  readonly dialect: Dialect;
  /** The release that a local server plays, and what it does. */
  readonly engine: Engine;
  readonly facts: EngineFacts;
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
  const number = tierNumbers[tier] + (has(`tier:${tier}`) ? 0 : 1);
  const concurrency = options.concurrency === 'unlimited' ? Infinity : (options.concurrency ?? number);
  const speed = options.speed ?? 1;
  if (!(speed > 0)) throw new RangeError(`speed is ${speed}; it takes a number above 0, or Infinity`);
  if (!(concurrency >= 1)) throw new RangeError(`concurrency is ${concurrency}; it takes 1 or more`);
  const documented = {
    local: localSwitches,
    v2: v2Switches,
    cloud: profiles[options.profile ?? 'interface'],
  }[dialect];
  return {
    dialect,
    engine,
    facts: engines[engine],
    port: options.port ?? 0,
    tier,
    switches: { ...documented, ...options.switches },
    speed,
    seed: options.seed ?? 1,
    clock: options.clock ?? realClock,
    concurrency,
    allowOrigin: options.allowOrigin,
    has,
  };
};

const tierNumbers: Readonly<Record<Tier, number>> = { free: 1, standard: 1, creator: 3, pro: 5 };
