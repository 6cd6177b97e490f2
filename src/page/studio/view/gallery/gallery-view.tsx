import { lazy, Suspense, useCallback, useEffect, useMemo, useState, type ReactElement } from 'react';
import { filterItems, isFiltering, type ItemFilter, noFilter, queryOf } from '../../state/filter-items.js';
import { isSameQuery } from '../../state/galleries.js';
import type { Failure } from '../../state/failure.js';
import type { Item } from '../../state/gallery.js';
import { Filters } from './filters.js';
import { GalleryList } from './gallery-list.js';
import { SelectionBar } from './selection-bar.js';
import { texts } from '../../texts.js';
import { useStudio, useValue } from '../use-studio.js';

const Lightbox = lazy(() => import('./lightbox.js'));
const Compare = lazy(() => import('./compare.js'));

/** Everything that was made: found by what it is of, looked at, compared, taken along and deleted. */
const GalleryView = (): ReactElement => {
  const { galleries } = useStudio();
  const [filter, setFilter] = useState(noFilter);
  const { store, isFound, items: loaded } = useFound(filter);
  const { isKnown, isLoading, next, failure } = useValue(store.state);
  const { chosen, choose, clear } = useChosen();
  const [opened, setOpened] = useState<string>();
  const [isComparing, setComparing] = useState(false);
  const shown = useMemo(
    () => filterItems(loaded, isFound ? { ...filter, text: '' } : filter),
    [loaded, isFound, filter],
  );
  const more = useCallback(() => store.more(), [store]);
  const selected = loaded.filter(({ key }) => chosen.has(key));
  const at = shown.findIndex(({ key }) => key === opened);
  return (
    <section className="gallery" aria-labelledby="gallery">
      <div className="section-head">
        <h2 id="gallery">{texts.gallery.title}</h2>
        <span className="hint" role="status">
          {isKnown ? texts.gallery.count(shown.length, next !== undefined) : texts.loading}
        </span>
      </div>
      <Filters filter={filter} setFilter={setFilter} items={useValue(galleries.all.state).items} />
      <Told
        failure={failure}
        more={more}
        isEmpty={isKnown && shown.length === 0 && !isLoading}
        isFiltering={isFiltering(filter)}
      />
      <GalleryList
        items={shown}
        columns={filter.batch === undefined ? undefined : shown[0]?.columns}
        chosen={chosen}
        choose={choose}
        open={(item) => setOpened(item.key)}
        needMore={next !== undefined && !isLoading ? more : undefined}
      />
      {selected.length > 0 && (
        <SelectionBar items={selected} compare={() => setComparing(true)} clear={clear} />
      )}
      <Suspense fallback={null}>
        {at >= 0 && shown[at] !== undefined && (
          <Lightbox
            item={shown[at]}
            onClose={() => setOpened(undefined)}
            step={(by) => setOpened(shown[at + by]?.key ?? opened)}
            showGrid={(batch) => {
              setOpened(undefined);
              setFilter({ ...noFilter, batch });
            }}
          />
        )}
        {isComparing && selected[0] !== undefined && selected[1] !== undefined && (
          <Compare one={selected[0]} other={selected[1]} onClose={() => setComparing(false)} />
        )}
      </Suspense>
    </section>
  );
};

/** The results that the gateway finds by a filter; those of before until they are there. */
const useFound = (filter: ItemFilter) => {
  const { galleries } = useStudio();
  const { by, store } = useValue(galleries.found);
  useEffect(() => galleries.search(filter), [galleries, filter]);
  return { store, items: useValue(store.state).items, isFound: isSameQuery(by, queryOf(filter)) };
};

interface ToldProps {
  readonly failure: Failure | undefined;
  readonly more: () => void;
  readonly isEmpty: boolean;
  readonly isFiltering: boolean;
}

/** What stands there in place of results. */
const Told = ({ failure, more, isEmpty, isFiltering: isSearch }: ToldProps): ReactElement => (
  <>
    {failure !== undefined && (
      <p role="alert" className="error">
        {failure.message} {failure.hint}{' '}
        <button type="button" onClick={more}>
          {texts.again}
        </button>
      </p>
    )}
    {isEmpty && <p className="hint">{isSearch ? texts.gallery.none : texts.gallery.empty}</p>}
  </>
);

/** The results that are chosen, by their keys. */
const useChosen = () => {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const choose = ({ key }: Item): void =>
    setChosen((before) => {
      const after = new Set(before);
      if (!after.delete(key)) after.add(key);
      return after;
    });
  return { chosen, choose, clear: () => setChosen(new Set()) };
};

export default GalleryView;
