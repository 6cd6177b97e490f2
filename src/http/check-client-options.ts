import { isJsonObject } from '../protocol/json/json.js';
import { serviceError } from '../errors/service-error.js';

/** The options that are checked here, as they came. */
export interface CheckedOptions {
  readonly dialect?: unknown;
  readonly tier?: unknown;
  readonly lingerMs?: unknown;
  readonly recordWithinMs?: unknown;
  readonly notFoundAfterMs?: unknown;
  readonly partnerKeyField?: unknown;
  readonly allowClearText?: unknown;
  readonly keptFrames?: unknown;
  readonly requestBudget?: unknown;
  readonly signal?: unknown;
}

/**
 * Refuses what no client can work with; addresses and the key are read elsewhere.
 *
 * Throws `InvalidConfig` with the option's name, which is `options` where there are none. Members that are no options pass,
 * so that an emulator is one.
 */
export const checkClientOptions: (options: unknown) => asserts options is CheckedOptions = (options) => {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw serviceError('InvalidConfig', {
      option: 'options',
      message: 'options takes an object with a baseUrl.',
    });
  }
  const { dialect, tier, lingerMs, recordWithinMs, notFoundAfterMs } = options as CheckedOptions;
  const { partnerKeyField, allowClearText, keptFrames, requestBudget, signal } = options as CheckedOptions;
  const given: readonly (readonly [option: string, value: unknown, fits: boolean, takes: string])[] = [
    ['dialect', dialect, dialect === 'cloud' || dialect === 'local', 'cloud or local'],
    ['tier', tier, tiers.includes(tier), `one of ${tiers.join(', ')}`],
    ['lingerMs', lingerMs, isDuration(lingerMs), 'milliseconds, 0 or more'],
    ['recordWithinMs', recordWithinMs, isDuration(recordWithinMs), 'milliseconds, 0 or more'],
    ['notFoundAfterMs', notFoundAfterMs, isDuration(notFoundAfterMs), 'milliseconds, 0 or more'],
    [
      'partnerKeyField',
      partnerKeyField,
      typeof partnerKeyField === 'string' && partnerKeyField !== '',
      'the name of a field',
    ],
    ['allowClearText', allowClearText, typeof allowClearText === 'boolean', 'true or false'],
    ['keptFrames', keptFrames, isFrameLimits(keptFrames), 'jobBytes and clientBytes, numbers from 0'],
    ['requestBudget', requestBudget, isBudget(requestBudget), 'perSecond above 0 and burst from 1'],
    ['signal', signal, isSignal(signal), 'an AbortSignal'],
  ];
  for (const [option, value, fits, takes] of given) {
    if (value !== undefined && !fits) {
      throw serviceError('InvalidConfig', { option, message: `${option} takes ${takes}.` });
    }
  }
};

const isFrameLimits = (value: unknown): boolean =>
  isJsonObject(value) &&
  [value['jobBytes'], value['clientBytes']].every(
    (bytes) => bytes === undefined || (typeof bytes === 'number' && bytes >= 0),
  );

const isBudget = (value: unknown): boolean => {
  if (!isJsonObject(value)) return false;
  const { perSecond = 1, burst = 1 } = value;
  return typeof perSecond === 'number' && perSecond > 0 && typeof burst === 'number' && burst >= 1;
};

const isDuration = (value: unknown): boolean => typeof value === 'number' && value >= 0;

/** A signal of another realm, or one that stands in for it, is no instance of this `AbortSignal`. */
const isSignal = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  'aborted' in value &&
  typeof value.aborted === 'boolean' &&
  'addEventListener' in value &&
  typeof value.addEventListener === 'function';

const tiers: readonly unknown[] = ['free', 'standard', 'creator', 'pro', 'unlimited'];
