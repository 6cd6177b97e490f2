import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState, type ReactElement } from 'react';
import { texts } from '../../texts.js';
import { Tile } from './tile.js';
import { useStudio, useValue } from '../use-studio.js';

/** The least width of a tile. */
const tileWidth = 190;

/** Everything that was made; of thousands of results the page holds those that are seen. */
const GalleryView = (): ReactElement => {
  const { gallery } = useStudio();
  const { items, isKnown, isLoading, next, failure } = useValue(gallery.state);
  const list = useRef<HTMLDivElement>(null);
  const [columns, setColumns] = useState(4);
  useEffect(() => {
    const element = list.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined) setColumns(Math.max(2, Math.floor(entry.contentRect.width / tileWidth)));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const rows = useVirtualizer({
    count: Math.ceil(items.length / columns),
    getScrollElement: () => list.current,
    estimateSize: () => 230,
    overscan: 2,
  });
  const last = rows.getVirtualItems().at(-1)?.index ?? 0;
  useEffect(() => {
    if (next !== undefined && !isLoading && (last + 4) * columns >= items.length) gallery.more();
  }, [gallery, last, columns, items.length, next, isLoading]);
  return (
    <section className="gallery" aria-labelledby="gallery">
      <h2 id="gallery">{texts.gallery.title}</h2>
      {failure !== undefined && (
        <p role="alert" className="error">
          {failure.message} {failure.hint} <button onClick={() => gallery.more()}>{texts.again}</button>
        </p>
      )}
      {isKnown && items.length === 0 && <p className="hint">{texts.gallery.empty}</p>}
      <div className="gallery-list" ref={list} tabIndex={0} aria-label={texts.gallery.title} role="group">
        <div className="gallery-all" style={{ height: `${rows.getTotalSize()}px` }}>
          {rows.getVirtualItems().map(({ index, start, key }) => (
            <div
              key={key}
              className="gallery-row"
              style={{ transform: `translateY(${start}px)`, gridTemplateColumns: `repeat(${columns}, 1fr)` }}
            >
              {items.slice(index * columns, (index + 1) * columns).map((item) => (
                <a
                  key={item.key}
                  className="tile"
                  href={`#/job/${item.jobId}`}
                  aria-label={texts.gallery.open(item.title, item.filename)}
                >
                  <Tile item={item} />
                </a>
              ))}
            </div>
          ))}
        </div>
      </div>
    </section>
  );
};

export default GalleryView;
