import type { IdAt } from '../protocol/frames/sole-id.js';

/** One value for each of many jobs. */
export interface ByJob<A> {
  readonly size: number;
  readonly of: (promptId: string) => A | undefined;
  /** The value of the job whose id stands there; where it has none, rarely that of another job. */
  readonly at: (id: IdAt) => A | undefined;
  /** Puts a value in the place of the one that its job had. */
  readonly put: (value: A) => void;
  readonly drop: (promptId: string) => void;
}

/**
 * Makes a map by job that is asked with each message, of ten thousand jobs as well.
 *
 * A map by strings hashes an id that was just cut out of a message, and compares it with the keys of its bucket, each of
 * which is an object of its own that no cache holds. So there is one by numbers beside it, which stand in the map itself.
 */
export const byJob = <A extends { readonly promptId: string }>(): ByJob<A> => {
  const byId = new Map<string, A>();
  /** Whose job alone has a mark, or how many jobs share it. */
  const byMark = new Map<number, A | number>();

  return {
    get size() {
      return byId.size;
    },
    of: (promptId) => byId.get(promptId),
    at: ({ text, start, end }) => {
      const found = byMark.get(markOf(text, start, end));
      return typeof found === 'number' ? byId.get(text.slice(start, end)) : found;
    },
    put: (value) => {
      const { promptId } = value;
      const before = byId.get(promptId);
      const mark = markOf(promptId, 0, promptId.length);
      const marked = byMark.get(mark);
      if (marked === before) byMark.set(mark, value);
      else if (before === undefined) byMark.set(mark, typeof marked === 'number' ? marked + 1 : 2);
      byId.set(promptId, value);
    },
    drop: (promptId) => {
      if (!byId.delete(promptId)) return;
      const mark = markOf(promptId, 0, promptId.length);
      const marked = byMark.get(mark);
      if (typeof marked === 'number' && marked > 1) byMark.set(mark, marked - 1);
      else byMark.delete(mark);
    },
  };
};

/** A number from the end of an id, which is where ids differ; V8 keeps it without an object, as it has 30 bits. */
const markOf = (text: string, start: number, end: number): number => {
  let mark = end - start;
  for (let at = Math.max(start, end - 12); at < end; at += 1) {
    mark = (Math.imul(mark, 31) + text.charCodeAt(at)) | 0;
  }
  return mark & 0x3fffffff;
};
