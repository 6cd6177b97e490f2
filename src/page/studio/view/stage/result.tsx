import { useState, type ReactElement } from 'react';
import type { Item } from '../../state/gallery.js';
import type { JobPhase } from '../../../../index.js';
import { Media } from '../gallery/media.js';
import { texts } from '../../texts.js';
import { Tile } from '../gallery/tile.js';

/** What a job has made: one thing large, and all of them to choose from. */
export const Result = ({
  items,
  phase,
  preview,
}: {
  readonly items: readonly Item[];
  readonly phase: JobPhase | undefined;
  /** What stands in place of the first result until it is loaded. */
  readonly preview?: string | undefined;
}): ReactElement => {
  const [at, setAt] = useState(0);
  const item = items[Math.min(at, items.length - 1)];
  if (item === undefined) return <p className="stage-empty">{texts.stage.nothing(phase)}</p>;
  return (
    <>
      <Media key={item.key} item={item} preview={item === items[0] ? preview : undefined} />
      {items.length > 1 && (
        <ul className="stage-more">
          {items.map((one, index) => (
            <li key={one.key}>
              <button
                type="button"
                className="tile"
                aria-label={texts.stage.show(one.filename)}
                aria-pressed={one === item}
                onClick={() => setAt(index)}
              >
                <Tile item={one} />
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
};
