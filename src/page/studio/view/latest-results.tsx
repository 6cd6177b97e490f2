import type { ReactElement } from 'react';
import { texts } from '../texts.js';
import { Tile } from './gallery/tile.js';
import { useStudio, useValue } from './use-studio.js';

/** How many of the newest results the stage shows below itself. */
const most = 12;

/** The newest results, and the way to all of them. */
export const LatestResults = (): ReactElement | null => {
  const { galleries } = useStudio();
  const { items, isKnown, failure } = useValue(galleries.all.state);
  if (items.length === 0) {
    return isKnown && failure === undefined ? <p className="hint">{texts.gallery.empty}</p> : null;
  }
  return (
    <section aria-labelledby="latest">
      <div className="section-head">
        <h2 id="latest">{texts.gallery.latest}</h2>
        <a href="#/gallery">{texts.gallery.all}</a>
      </div>
      <ul className="strip">
        {items.slice(0, most).map((item) => (
          <li key={item.key}>
            <a
              className="tile"
              href={`#/job/${item.jobId}`}
              aria-label={texts.gallery.open(item.title, item.filename)}
            >
              <Tile item={item} />
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
};
