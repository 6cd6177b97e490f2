import { billings } from './fault.js';
import type { EmulatorOptions } from './options.js';
import type { Switches } from './switches.js';
import { engines } from './local/engine-facts.js';
import { inspect } from 'node:util';
import { isInterfaceRow } from './interface-rows.js';
import { checkMachine } from './local/machine.js';
import { localSwitches } from './profiles.js';

/**
 * Checks the names and values of all options.
 *
 * Throws a `RangeError` that names the option, its value and the values that it takes. Absent options are fine.
 */
export const checkOptions = (options: EmulatorOptions): void => {
  for (const [option, value] of Object.entries(options)) {
    if (!known.has(option)) throw new RangeError(`startEmulator has no option ${option}`);
    const choice = choices.get(option);
    if (choice !== undefined) takes(option, value, choice);
  }
  if (options.engine !== undefined && options.dialect !== 'local')
    throw new RangeError("engine is the release of a local server: it takes dialect 'local'");
  if (options.machine !== undefined) {
    if (options.dialect !== 'local')
      throw new RangeError("machine is that of a local server: it takes dialect 'local'");
    checkMachine(options.machine);
  }
  for (const row of options.without ?? [])
    if (!isInterfaceRow(row))
      throw new RangeError(
        `without has ${inspect(row)}, which is no row of the interface; see interfaceRows`,
      );
  for (const { option, isValid, refusal } of rules) {
    const value = options[option];
    if (value !== undefined && !isValid(value)) throw new RangeError(`${option} ${refusal(value)}`);
  }
  checkSwitches(options.switches ?? {});
};

const checkSwitches = (switches: Partial<Switches>): void => {
  for (const [name, value] of Object.entries(switches)) {
    if (!Object.hasOwn(localSwitches, name)) throw new RangeError(`switches has no ${name}`);
    const choice = words.get(name);
    if (choice !== undefined) takes(`switches.${name}`, value, choice);
  }
  for (const { names, isValid, takes } of switchRules)
    for (const name of names) {
      const value = switches[name];
      if (value !== undefined && !isValid(value))
        throw new RangeError(`switches.${name} is ${inspect(value)}; it takes ${takes}`);
    }
};

const isAmount = (value: unknown): value is number => typeof value === 'number' && value >= 0;

const isListOfKeys = (keys: unknown): boolean =>
  Array.isArray(keys) && keys.every((key) => typeof key === 'string' && key !== '');

const isOrigin = (text: unknown): boolean =>
  typeof text === 'string' && URL.canParse(text) && new URL(text).origin === text;

/** What options take that have no list of values. */
const rules: readonly {
  readonly option: 'acceptKeys' | 'allowOrigin' | 'ffmpeg' | 'port' | 'seed';
  readonly isValid: (value: unknown) => boolean;
  /** What the error says after the option's name. */
  readonly refusal: (value: unknown) => string;
}[] = [
  {
    option: 'acceptKeys',
    isValid: (keys) => isListOfKeys(keys),
    refusal: () => 'takes a list of keys, each a text of one character or more',
  },
  {
    option: 'allowOrigin',
    isValid: (origin) => origin === '*' || isOrigin(origin),
    refusal: (value) => `is ${inspect(value)}; it takes an origin without a path, or *`,
  },
  {
    option: 'ffmpeg',
    isValid: (program) => program === false || (typeof program === 'string' && program !== ''),
    refusal: (value) => `is ${inspect(value)}; it takes a program's path or name, or false`,
  },
  {
    option: 'port',
    isValid: (port) => Number.isInteger(port) && Number(port) >= 0 && Number(port) <= 65_535,
    refusal: (value) => `is ${String(value)}; it takes an integer from 0 to 65535`,
  },
  {
    option: 'seed',
    isValid: Number.isSafeInteger,
    refusal: (value) => `is ${String(value)}; it takes an integer`,
  },
];

const amounts = [
  ...(['historyLagMs', 'signedUrlMs', 'queueLimit', 'maxUploadBytes', 'maxPromptBytes'] as const),
  ...(['maxMessageBytes'] as const),
  ...(['requestsPerMinute', 'streamLimit', 'keepAliveMs', 'progressIntervalMs', 'retentionMs'] as const),
  ...(['keyRetentionMs', 'retryAfter', 'notReadyMs'] as const),
];

const switchRules: readonly {
  readonly names: readonly (keyof Switches)[];
  readonly isValid: (value: unknown) => boolean;
  readonly takes: string;
}[] = [
  { names: amounts, isValid: isAmount, takes: 'a number from 0' },
  {
    names: ['recordDelayMs'],
    isValid: (delay) => delay === 'random' || (isAmount(delay) && delay < Infinity),
    takes: 'random, or a finite number from 0',
  },
  {
    names: ['basePath'],
    isValid: (path) => typeof path === 'string' && /^(?:\/[\w.~-]+)*$/u.test(path),
    takes: 'a path such as /deployment/x',
  },
];

const known: ReadonlySet<string> = new Set([
  ...['dialect', 'engine', 'port', 'acceptKeys', 'tier', 'profile', 'switches', 'speed', 'seed', 'billing'],
  ...['without', 'faults', 'concurrency', 'clock', 'allowOrigin', 'ffmpeg', 'state', 'machine'],
]);

const choices: ReadonlyMap<string, readonly unknown[]> = new Map<string, readonly unknown[]>([
  ['dialect', ['cloud', 'local', 'v2']],
  ['engine', Object.keys(engines)],
  ['tier', ['free', 'standard', 'creator', 'pro']],
  ['profile', ['interface', '2026', '2026-11']],
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
  ['modelOutputs', ['text', 'annotated', 'listed']],
  ['fileMetadata', [true, false]],
  ['stillPreviews', [true, false]],
  ['assets', [true, false]],
  ['openWork', [true, false]],
  ['jobsApi', ['none', 'one', 'all']],
  ['nodeReplacements', [true, false]],
  ['partnerNodes', ['unstated', 'open', 'refused', 'refused by policy']],
  ['userModels', [true, false]],
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
