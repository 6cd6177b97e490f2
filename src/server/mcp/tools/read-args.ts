import { isJsonObject } from '../../../core/protocol/json/json.js';

/** The arguments of a call, which the SDK has checked by the tool's schema. */
export type Arguments = Readonly<Record<string, unknown>>;

/** A text argument, or the default. */
export const textArgument = (args: Arguments, name: string, otherwise = ''): string =>
  typeof args[name] === 'string' ? args[name] : otherwise;

/** A number argument, or the default. */
export const numberArgument = (args: Arguments, name: string, otherwise: number): number =>
  typeof args[name] === 'number' ? args[name] : otherwise;

/** An object argument; empty if it is missing. */
export const objectArgument = (args: Arguments, name: string): Readonly<Record<string, unknown>> => {
  const value = args[name];
  return isJsonObject(value) ? value : {};
};
