import type { ReactElement } from 'react';
import { isFiltering, type ItemFilter, noFilter } from '../../state/filter-items.js';
import type { Item } from '../../state/gallery.js';
import { texts } from '../../texts.js';

interface FiltersProps {
  readonly filter: ItemFilter;
  readonly setFilter: (filter: ItemFilter) => void;
  /** Whose workflows can be looked for. */
  readonly items: readonly Item[];
}

const kinds = Object.keys(texts.kinds) as Item['kind'][];

/** What to look for: words, a workflow, a kind, and days. */
export const Filters = ({ filter, setFilter, items }: FiltersProps): ReactElement => {
  const named = filter.workflow === '' ? [] : [filter.workflow];
  const titles = [...new Set([...items.map(({ title }) => title), ...named])].sort();
  const set = (part: Partial<ItemFilter>): void => setFilter({ ...filter, ...part });
  return (
    <search className="filters">
      <label>
        <span>{texts.filters.text}</span>
        <input type="search" value={filter.text} onChange={({ target }) => set({ text: target.value })} />
      </label>
      <label>
        <span>{texts.filters.workflow}</span>
        <select value={filter.workflow} onChange={({ target }) => set({ workflow: target.value })}>
          <option value="">{texts.filters.all}</option>
          {titles.map((title) => (
            <option key={title}>{title}</option>
          ))}
        </select>
      </label>
      <label>
        <span>{texts.filters.kind}</span>
        <select
          value={filter.kind}
          onChange={({ target }) => set({ kind: kinds.find((kind) => kind === target.value) ?? '' })}
        >
          <option value="">{texts.filters.all}</option>
          {kinds.map((kind) => (
            <option key={kind} value={kind}>
              {texts.kinds[kind]}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span>{texts.filters.since}</span>
        <input type="date" value={filter.since} onChange={({ target }) => set({ since: target.value })} />
      </label>
      <label>
        <span>{texts.filters.until}</span>
        <input type="date" value={filter.until} onChange={({ target }) => set({ until: target.value })} />
      </label>
      {isFiltering(filter) && (
        <button type="button" onClick={() => setFilter(noFilter)}>
          {filter.batch === undefined ? texts.filters.clear : texts.filters.leaveGrid}
        </button>
      )}
    </search>
  );
};
