import type { Dialect } from '../options.js';
import { InvalidState } from './invalid-state.js';
import { anything, list, object, text } from './read.js';
import { readValues, tooLarge, writeValues } from './state-values.js';

/** What a saved state begins with; another version is refused. */
const format = 'promptwire emulator state';
const version = 1;

/** How large a state is at most, as text: what it holds is in memory several times while it is written or read. */
export const maxStateBytes = 256 * 2 ** 20;

/** Writes the state of a service of this dialect as text; throws {@link InvalidState} where it is too large. */
export const writeState = (dialect: Dialect, state: unknown): string => {
  const written = writeValues(state, maxStateBytes);
  const whole = JSON.stringify({ format, version, dialect, ...written });
  if (whole.length > maxStateBytes) throw tooLarge(maxStateBytes);
  return whole;
};

/** Reads a state that {@link writeState} wrote for this dialect; throws {@link InvalidState}. */
export const readState = (whole: string, dialect: Dialect): unknown => {
  if (whole.length > maxStateBytes) throw tooLarge(maxStateBytes);
  const head = readHead(parsed(whole), 'state');
  if (head.format !== format) throw new InvalidState('no emulator saved this state');
  if (head.version !== version)
    throw new InvalidState(
      `the state has version ${String(head.version)}; this emulator reads version ${version}`,
    );
  if (head.dialect !== dialect)
    throw new InvalidState(
      `the state is that of dialect ${String(head.dialect)}, and this emulator speaks ${dialect}`,
    );
  return readValues(readBody(head, 'state'));
};

const readHead = object({
  format: anything,
  version: anything,
  dialect: anything,
  value: anything,
  contents: anything,
});
const readBody = object({ value: anything, contents: list(text) });

const parsed = (whole: string): unknown => {
  try {
    return JSON.parse(whole) as unknown;
  } catch {
    throw new InvalidState('the state is no JSON');
  }
};
