import { PythonFloat } from '../python-float.js';
import { stringifyExact } from '../exact-json.js';

/**
 * Writes JSON as Python's `json.dumps` does: `", "` and `": "`, non-ASCII characters escaped, and the literals `NaN`, `Infinity` and
 * `-Infinity` for numbers outside JSON. Members that are `undefined` are left out.
 */
export const pythonJson = (value: unknown): string => {
  if (typeof value === 'string') return ascii(JSON.stringify(value));
  if (typeof value === 'number') return String(Object.is(value, -0) ? 0 : value);
  if (typeof value === 'bigint') return String(value);
  if (value instanceof PythonFloat) return float(value.value);
  if (Array.isArray(value)) return `[${value.map(pythonJson).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    return `{${members.map(([name, member]) => `${pythonJson(name)}: ${pythonJson(member)}`).join(', ')}}`;
  }
  return value === true || value === false ? String(value) : 'null';
};

const float = (value: number): string => {
  if (Number.isInteger(value)) return Math.abs(value) < 1e16 ? value.toFixed(1) : value.toExponential();
  return String(value);
};

const ascii = (json: string): string =>
  json.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** A JSON value as Python's `float` reads it; throws {@link ServerError} for other values. */
export const pythonNumber = (value: unknown): number => {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean' || typeof value === 'bigint') return Number(value);
  if (typeof value === 'string' && value.trim() !== '' && !Number.isNaN(Number(value))) return Number(value);
  throw new ServerError(`could not convert to float: ${stringifyExact(value)}`);
};

/** A JSON value as Python's `str` writes it, for ids: `None`, `True`, numbers and texts. */
export const pythonText = (value: unknown): string => {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return 'None';
  if (value === true) return 'True';
  if (value === false) return 'False';
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  return value instanceof PythonFloat ? String(value.value) : stringifyExact(value);
};

/** An unhandled exception of the local server: the answer is 500 with plain text. */
export class ServerError extends Error {
  override readonly name = 'ServerTrouble';
}

/**
 * Python's `heapq` on a list: `items` shows the list in heap order, and a comparison that throws leaves the new item at
 * its end.
 */
export interface PythonHeap<A> {
  readonly push: (item: A) => void;
  readonly pop: () => A | undefined;
  /** Takes the first item that matches and restores the order; false if no item matches. */
  readonly remove: (matches: (item: A) => boolean) => boolean;
  readonly clear: () => void;
  /** The items in heap order, which is not sorted. */
  readonly items: readonly A[];
}

/** An empty heap; `isLess` may throw for items that can't be compared. */
export const createPythonHeap = <A>(isLess: (a: A, b: A) => boolean): PythonHeap<A> => {
  const items: A[] = [];
  const at = (index: number): A => items[index] as A;

  /** Moves the item at `index` up while it is less than its parent, not above `top`. */
  const rise = (top: number, index: number): void => {
    const item = at(index);
    let place = index;
    while (place > top) {
      const parent = (place - 1) >> 1;
      if (!isLess(item, at(parent))) break;
      items[place] = at(parent);
      place = parent;
    }
    items[place] = item;
  };

  /** Sinks the item at `index` to a leaf along the lesser children, then lets it rise again. */
  const sink = (index: number): void => {
    const item = at(index);
    let place = index;
    for (let child = 2 * place + 1; child < items.length; child = 2 * place + 1) {
      if (child + 1 < items.length && !isLess(at(child), at(child + 1))) child += 1;
      items[place] = at(child);
      place = child;
    }
    items[place] = item;
    rise(index, place);
  };

  const pop = (): A | undefined => {
    const last = items.pop();
    if (last === undefined || items.length === 0) return last;
    const first = at(0);
    items[0] = last;
    sink(0);
    return first;
  };

  const remove = (matches: (item: A) => boolean): boolean => {
    const index = items.findIndex(matches);
    if (index < 0) return false;
    items.splice(index, 1);
    for (let from = (items.length >> 1) - 1; from >= 0; from -= 1) sink(from);
    return true;
  };

  return {
    items,
    pop,
    remove,
    push: (item) => {
      items.push(item);
      rise(0, items.length - 1);
    },
    clear: () => {
      items.length = 0;
    },
  };
};
