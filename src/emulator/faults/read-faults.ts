import { type Check, faultShapes, occurrenceShape, type Shape } from './fault-shapes.js';
import type { Fault } from '../fault.js';

/** The result of {@link readFaults}: the faults and their seed, or the problems. */
export type ReadFaults =
  { readonly faults: readonly Fault[]; readonly seed?: number } | { readonly problems: readonly string[] };

/**
 * Reads faults from a parsed JSON value: a list of them, or `{ "seed": 7, "faults": [...] }`.
 *
 * Never throws. Every problem is one line that begins with the path, such as
 * `faults[2].bytesPerSecond: takes a number above 0`; unknown members are problems too.
 *
 * @example
 * ```ts
 * import { readFaults } from 'promptwire/emulator';
 *
 * const read = readFaults(JSON.parse('[{ "on": "event", "do": "drop", "match": { "type": "executed" } }]'));
 * if ('problems' in read) console.error(read.problems.join('\n'));
 * ```
 */
export const readFaults = (json: unknown): ReadFaults => {
  const file = Array.isArray(json) ? { faults: json as unknown[] } : json;
  if (!isRecord(file) || !Array.isArray(file['faults'])) {
    return { problems: ['faults: takes a list, or an object with the list `faults`'] };
  }
  const unknown = Object.keys(file).filter((name) => name !== 'faults' && name !== 'seed');
  const seed = file['seed'];
  const problems = [
    ...unknown.map((name) => `${name}: is not known here`),
    ...(seed === undefined || Number.isInteger(seed) ? [] : ['seed: takes a whole number']),
    ...file['faults'].flatMap((fault, index) => problemsOfFault(fault, `faults[${index}]`)),
  ];
  if (problems.length > 0) return { problems };
  const faults = file['faults'] as readonly Fault[];
  return typeof seed === 'number' ? { faults, seed } : { faults };
};

const problemsOfFault = (fault: unknown, place: string): readonly string[] => {
  if (!isRecord(fault)) return [`${place}: takes an object`];
  const actions = own(faultShapes, fault['on']);
  if (!actions) return [`${place}.on: takes ${words(faultShapes)}`];
  const shape = own(actions, fault['do']);
  if (!shape) return [`${place}.do: on ${String(fault['on'])} it takes ${words(actions)}`];
  const members = Object.entries(fault).filter(([name]) => name !== 'on' && name !== 'do');
  return problemsOf(Object.fromEntries(members), { ...occurrenceShape, ...shape }, place);
};

const own = <A>(table: Readonly<Record<string, A>>, name: unknown): A | undefined =>
  typeof name === 'string' && Object.hasOwn(table, name) ? table[name] : undefined;

const words = (table: Readonly<Record<string, unknown>>): string => Object.keys(table).join(', ');

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The problems of an object's members, one line each, beginning with the path; an empty list where it fits. */
export const problemsOf = (members: object, shape: Shape, place: string): readonly string[] => {
  const values: Readonly<Record<string, unknown>> = { ...members };
  return [
    ...Object.keys(values)
      .filter((name) => !Object.hasOwn(shape, name))
      .map((name) => `${place}.${name}: is not known here; it takes ${Object.keys(shape).join(', ')}`),
    ...Object.entries(shape).flatMap(([name, check]) =>
      problemsOfMember(values[name], check, `${place}.${name}`),
    ),
  ];
};

const problemsOfMember = (value: unknown, check: Check, place: string): readonly string[] => {
  if (value === undefined) return check.required ? [`${place}: is missing; it takes ${check.takes}`] : [];
  if (!check.fits(value)) return [`${place}: takes ${check.takes}`];
  return check.members === undefined ? [] : problemsOf(value as object, check.members, place);
};
