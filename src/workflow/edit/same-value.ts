import { isJsonObject } from '../../core/protocol/json/json.js';

/** Whether two JSON values are one: the order of members does not count, and an integer is one as `bigint` or as a number. */
export const sameValue = (one: unknown, other: unknown): boolean =>
  one === other || textOf(one) === textOf(other);

/**
 * A text that is the same for values that are the same, however deep they nest. Throws a `TypeError` for a value that holds itself,
 * as `JSON.stringify` does.
 */
export const textOf = (value: unknown): string => {
  let text = '';
  const path: Level[] = [];
  const open = new Set<object>();
  const write = (one: unknown): void => {
    if (typeof one !== 'object' || one === null) {
      text += typeof one === 'bigint' ? String(one) : one === undefined ? 'null' : JSON.stringify(one);
      return;
    }
    if (open.has(one)) throw new TypeError('A value of the workflow holds itself.');
    open.add(one);
    text += Array.isArray(one) ? '[' : '{';
    path.push({ owner: one, members: membersOf(one).values() });
  };
  write(value);
  for (let level = path.at(-1); level !== undefined; level = path.at(-1)) {
    const next = level.members.next();
    if (next.done === true) {
      // The opening one tells lists and objects apart.
      text += ']';
      open.delete(level.owner);
      path.pop();
    } else {
      const [name, member] = next.value;
      text += name;
      write(member);
      text += ',';
    }
  }
  return text;
};

/** A list or object that is being written, and what is left of it. */
interface Level {
  readonly owner: object;
  readonly members: Iterator<Member>;
}

type Member = readonly [name: string, value: unknown];

/** In the order of their names, without members whose value is undefined. */
const membersOf = (value: object): readonly Member[] =>
  isJsonObject(value)
    ? Object.entries(value)
        .filter(([, member]) => member !== undefined)
        .map(([name, member]): Member => [`${JSON.stringify(name)}:`, member])
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
    : Array.from(value as readonly unknown[], (item): Member => ['', item]);
