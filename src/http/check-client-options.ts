import { serviceError } from '../protocol/errors/service-error.js';

/** The options that are checked here, as they came. */
export interface CheckedOptions {
  readonly dialect?: unknown;
  readonly tier?: unknown;
  readonly lingerMs?: unknown;
  readonly partnerKeyField?: unknown;
}

/**
 * Refuses words and numbers that no client can work with; addresses and the key are read elsewhere.
 *
 * Throws `InvalidConfig` with the option's name. Members that are no options pass, so that an emulator is one.
 */
export const checkClientOptions = ({ dialect, tier, lingerMs, partnerKeyField }: CheckedOptions): void => {
  const given: readonly (readonly [option: string, value: unknown, fits: boolean, takes: string])[] = [
    ['dialect', dialect, dialect === 'cloud' || dialect === 'local', 'cloud or local'],
    ['tier', tier, tiers.includes(tier), `one of ${tiers.join(', ')}`],
    ['lingerMs', lingerMs, typeof lingerMs === 'number' && lingerMs >= 0, 'milliseconds, 0 or more'],
    [
      'partnerKeyField',
      partnerKeyField,
      typeof partnerKeyField === 'string' && partnerKeyField !== '',
      'the name of a field',
    ],
  ];
  for (const [option, value, fits, takes] of given) {
    if (value !== undefined && !fits) {
      throw serviceError('InvalidConfig', { option, message: `${option} takes ${takes}.` });
    }
  }
};

const tiers: readonly unknown[] = ['free', 'standard', 'creator', 'pro', 'unlimited'];
