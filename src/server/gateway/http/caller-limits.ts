import { type CallerLimits, defaultLimits, defaultTotals, type GatewayTotals } from '../options.js';
import { serviceError } from '../../../core/errors/service-error.js';

/** The limits of a caller: the defaults, and in their place those that are given, the later ones before the earlier ones. */
export const limitsOf = (...given: readonly (Partial<CallerLimits> | undefined)[]): CallerLimits =>
  given.reduce<CallerLimits>((known, more) => ({ ...known, ...checked('limits', more) }), defaultLimits);

/** The limits of all callers together, likewise. */
export const totalsOf = (given: Partial<GatewayTotals> | undefined): GatewayTotals => ({
  ...defaultTotals,
  ...checked('totals', given),
});

/** Bounds without those that are not set. Throws `InvalidConfig` for one that is no number of 0 or more: `NaN` would bound nothing. */
export const checked = <Bounds extends object>(option: string, bounds: Bounds | undefined): Bounds => {
  const set = Object.entries(bounds ?? {}).filter(([, bound]) => bound !== undefined);
  const wrong = set.find(([, bound]) => !(typeof bound === 'number' && bound >= 0));
  if (wrong === undefined) return Object.fromEntries(set) as Bounds;
  const name = option === '' ? wrong[0] : `${option}.${wrong[0]}`;
  throw serviceError('InvalidConfig', {
    option: option === '' ? wrong[0] : option,
    message: `${name} is ${String(wrong[1])}, where it has to be a number of 0 or more.`,
    hint: 'Check the variable that it comes from: it may be unset in this process.',
  });
};
