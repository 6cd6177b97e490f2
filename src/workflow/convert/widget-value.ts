import type { Widget } from './widget-plan.js';
import { dynamicCombo, keysOf } from '../dynamic-combo.js';

/** The value that a widget sends: the file's, unchanged, or the definition's default; undefined if it sends nothing. */
export const sentValue = ({ type, input }: Widget, value: unknown): unknown => {
  if (neverSent.has(type)) return undefined;
  const given = value === undefined ? defaultOf(type, input) : value;
  return given === null && type === 'COMBO' ? (defaultOf(type, input) ?? null) : given;
};

/** Buttons and players: the editor keeps them in the file only. */
export const neverSent: ReadonlySet<string> = new Set(['IMAGEUPLOAD', 'AUDIOUPLOAD', 'AUDIO_UI']);

const defaultOf = (type: string, input: Widget['input']): unknown => {
  const { options, choices } = input;
  if (options['default'] !== undefined) return options['default'];
  if (type === 'COMBO') return (options['multi_select'] ?? false) === false ? choices?.[0] : [];
  if (type === dynamicCombo) return keysOf(input)[0];
  return defaults[type];
};

const defaults: Readonly<Record<string, unknown>> = { INT: 0, FLOAT: 0, STRING: '', BOOLEAN: false };

/** A value as the API takes it: the service would read a bare list as a link. */
export const asLiteral = (value: unknown, type?: string): unknown => {
  if (!Array.isArray(value)) return value;
  return type === 'CURVE' ? { __type__: 'CURVE', __value__: value } : { __value__: value };
};

/** The value as a number widget keeps it after something has written to it; the file's own values are never rounded. */
export const roundedAsWritten = ({ type, input: { options } }: Widget, value: unknown): unknown => {
  if (typeof value !== 'number' || !Number.isFinite(value)) return value;
  if (type === 'INT') return roundInteger(value, options);
  return type === 'FLOAT' ? roundFloat(value, options) : value;
};

type Options = Widget['input']['options'];

const numberIn = (options: Options, name: string): number | undefined => {
  const value = options[name];
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
};

const roundInteger = (value: number, options: Options): number => {
  const step = numberIn(options, 'step') ?? 1;
  if (step <= 0) return value;
  const offset = (numberIn(options, 'min') ?? 0) % step;
  return Math.round((value - offset) / step) * step + offset;
};

const roundFloat = (value: number, options: Options): number => {
  const step = numberIn(options, 'step') ?? 0.5;
  const digits = step > 0 ? Math.min(100, Math.max(0, -Math.floor(Math.log10(step)))) : 0;
  const round = numberIn(options, 'round') ?? (digits > 0 ? 10 ** -digits : 0);
  const rounded = round > 0 ? Number((Math.round(value / round) * round).toFixed(digits)) : value;
  const atLeast = Math.max(rounded, numberIn(options, 'min') ?? rounded);
  return Math.min(atLeast, numberIn(options, 'max') ?? atLeast);
};
