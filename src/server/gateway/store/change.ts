import { isIn } from './keys.js';
import { storedText, summed } from './stored-value.js';
import type { Entry, Page, View } from './view.js';

/** A view of a store with changes that are not written yet. */
export interface Change extends View {
  /** Puts a value below a key. */
  readonly put: (key: string, value: unknown) => void;
  /** Puts a value below a key, whose JSON is known. */
  readonly putText: (key: string, text: string) => void;
  /** Removes a key, where it is there. */
  readonly remove: (key: string) => void;
  /** Everything that is changed: the new text of a key, or undefined if it is removed. */
  readonly changes: ReadonlyMap<string, string | undefined>;
  /** Takes over the changes of another change that was made upon this one. */
  readonly take: (changes: ReadonlyMap<string, string | undefined>) => void;
}

/** Makes a change upon a view, or upon another change. */
export const changeOf = (view: View): Change => {
  const changes = new Map<string, string | undefined>();

  const page = async (asked: Page): Promise<readonly Entry[]> => {
    const changed = [...changes.keys()].filter((key) => isIn(key, asked));
    // Each removed one may have stood for one that comes after the page.
    const below = await view.page({ ...asked, limit: asked.limit + changed.length });
    if (changed.length === 0) return below;
    const merged = new Map<string, string | undefined>(below);
    for (const key of changed) merged.set(key, changes.get(key));
    const sorted = [...merged]
      .flatMap(([key, text]): readonly Entry[] => (text === undefined ? [] : [[key, text]]))
      .sort(([one], [other]) => (one < other ? -1 : 1));
    return (asked.reverse === true ? sorted.reverse() : sorted).slice(0, asked.limit);
  };

  return {
    texts: async (keys) => {
      const others = keys.filter((key) => !changes.has(key));
      const texts = others.length === 0 ? [] : await view.texts(others);
      const found = new Map(others.map((key, at) => [key, texts[at]]));
      return keys.map((key) => (changes.has(key) ? changes.get(key) : found.get(key)));
    },
    page,
    damaged: view.damaged,
    put: (key, value) => void changes.set(key, storedText(key, value)),
    putText: (key, text) => void changes.set(key, summed(key, text)),
    remove: (key) => void changes.set(key, undefined),
    changes,
    take: (others) => {
      for (const [key, text] of others) changes.set(key, text);
    },
  };
};
