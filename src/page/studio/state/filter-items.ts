import type { GalleryQuery, Item } from './gallery.js';
import { labels } from './labels.js';

/** What a person looks for. */
export interface ItemFilter {
  /** Words that all stand in the title, the prompt, the cell of a grid or the name of the file. */
  readonly text: string;
  /** The title of a workflow; empty for all. */
  readonly workflow: string;
  readonly kind: Item['kind'] | '';
  /** Days as a calendar names them, `2026-11-26`; empty for no bound. */
  readonly since: string;
  readonly until: string;
  /** One run over ranges. */
  readonly batch?: string | undefined;
}

export const noFilter: ItemFilter = { text: '', workflow: '', kind: '', since: '', until: '' };

/** Whether a filter leaves something out. */
export const isFiltering = ({ text, workflow, kind, since, until, batch }: ItemFilter): boolean =>
  `${text}${workflow}${kind}${since}${until}`.trim() !== '' || batch !== undefined;

/** What of a filter the gateway finds, among all jobs that it keeps. */
export const queryOf = ({ text, workflow, kind, since, until, batch }: ItemFilter): GalleryQuery['list'] => {
  const words = text.trim().slice(0, longestSearch);
  const [from, to] = [dayOf(since, 0), dayOf(until, 1)];
  return {
    ...(words !== '' && { text: words }),
    ...(workflow !== '' && { workflow }),
    ...(kind !== '' && { kind }),
    ...(from !== undefined && { since: from }),
    ...(to !== undefined && { until: to }),
    ...(batch !== undefined && { metadata: { [labels.batch]: batch } }),
  };
};

/** The longest search that a gateway takes. */
const longestSearch = 200;

/** The items that a person looks for; the cells of one grid stand in the order of their run. */
export const filterItems = (items: readonly Item[], filter: ItemFilter): readonly Item[] => {
  if (!isFiltering(filter)) return items;
  const words = filter.text.toLowerCase().split(/\s+/u);
  const [since, until] = [dayOf(filter.since, 0), dayOf(filter.until, 1)];
  const found = items.filter(({ title, prompt = '', cell = '', filename, kind, createdAt, batch }) => {
    const all = `${title} ${prompt} ${cell} ${filename}`.toLowerCase();
    return (
      (filter.workflow === '' || title === filter.workflow) &&
      (filter.kind === '' || kind === filter.kind) &&
      (filter.batch === undefined || batch === filter.batch) &&
      createdAt >= (since ?? -Infinity) &&
      createdAt < (until ?? Infinity) &&
      words.every((word) => all.includes(word))
    );
  });
  return filter.batch === undefined
    ? found
    : found.toSorted((one, other) => (one.place ?? 0) - (other.place ?? 0));
};

/** The beginning of a day at the place of the reader. */
const dayOf = (text: string, later: number): number | undefined => {
  const [year, month, day] = text.split('-').map(Number);
  if (year === undefined || month === undefined || day === undefined) return undefined;
  return new Date(year, month - 1, day + later).getTime();
};
