import { memo, useEffect, useMemo, useRef, useState, type ReactElement } from 'react';
import type { Item } from '../../state/gallery.js';
import { texts } from '../../texts.js';
import { Tile } from './tile.js';
import { useVirtualizer } from '@tanstack/react-virtual';

interface GalleryListProps {
  readonly items: readonly Item[];
  /** How many stand in a row; default as many as fit. */
  readonly columns: number | undefined;
  readonly chosen: ReadonlySet<string>;
  readonly choose: (item: Item) => void;
  readonly open: (item: Item) => void;
  /** Asks for more; undefined while there is nothing to ask for. */
  readonly needMore: (() => void) | undefined;
}

/** The least width of a tile, what its text adds to its height, and the space between two, in units of the text's size. */
const [minRem, textRem, gapRem] = [13.3, 2.7, 0.8];

/** The tiles, of thousands those that are seen. */
export const GalleryList = (props: GalleryListProps): ReactElement => {
  const { items, chosen, choose, open, needMore } = props;
  const list = useRef<HTMLDivElement>(null);
  const { width, rem } = useMeasures(list);
  const gap = Math.round(gapRem * rem);
  const columns = props.columns ?? Math.max(2, Math.floor((width + gap) / (minRem * rem + gap)));
  const rows = useVirtualizer({
    count: Math.ceil(items.length / columns),
    getScrollElement: () => list.current,
    estimateSize: () => (width - gap * (columns - 1)) / columns + textRem * rem,
    overscan: 1,
  });
  useEffect(() => rows.measure(), [rows, width, rem, columns]);
  const last = rows.getVirtualItems().at(-1)?.index ?? 0;
  useEffect(() => {
    if ((last + 4) * columns >= items.length) needMore?.();
  }, [last, columns, items.length, needMore]);
  return (
    <div className="gallery-list" ref={list} tabIndex={0} role="group" aria-label={texts.gallery.results}>
      <ul className="gallery-all" style={{ height: `${rows.getTotalSize()}px` }}>
        {rows
          .getVirtualItems()
          .flatMap(({ index, start, size }) =>
            items
              .slice(index * columns, (index + 1) * columns)
              .map((item, column) => (
                <Cell
                  key={item.key}
                  item={item}
                  isChosen={chosen.has(item.key)}
                  {...{ choose, open }}
                  left={(column * (width + gap)) / columns}
                  top={start}
                  width={(width + gap) / columns - gap}
                  height={size}
                />
              )),
          )}
      </ul>
    </div>
  );
};

interface CellProps extends Pick<GalleryListProps, 'choose' | 'open'> {
  readonly item: Item;
  readonly isChosen: boolean;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** One result at its place: those that stay in sight are not drawn anew while others come and go. */
const Cell = memo(({ item, isChosen, choose, open, left, top, width, height }: CellProps): ReactElement => (
  <li
    className={`cell${isChosen ? ' is-chosen' : ''}`}
    style={{ transform: `translate(${left}px, ${top}px)`, width: `${width}px`, height: `${height}px` }}
  >
    <button
      type="button"
      className="tile"
      aria-label={texts.gallery.open(item.cell ?? item.title, item.filename)}
      onClick={() => open(item)}
    >
      <Tile item={item} />
    </button>
    <input
      type="checkbox"
      className="cell-choose"
      aria-label={texts.gallery.choose(item.filename)}
      checked={isChosen}
      onChange={() => choose(item)}
    />
  </li>
));

/** The width of an element and the size of the page's text, as they change with the window. */
const useMeasures = (element: { readonly current: HTMLElement | null }) => {
  const [width, setWidth] = useState(960);
  useEffect(() => {
    if (element.current === null) return undefined;
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined) setWidth(Math.floor(entry.contentRect.width));
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  const rem = useMemo(() => parseFloat(getComputedStyle(document.documentElement).fontSize), [width]);
  return { width, rem };
};
