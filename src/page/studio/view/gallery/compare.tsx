import { useState, type ReactElement } from 'react';
import { Dialog } from '../dialog.js';
import type { Item } from '../../state/gallery.js';
import { texts } from '../../texts.js';
import { useSource } from './use-source.js';

interface CompareProps {
  readonly one: Item;
  readonly other: Item;
  readonly onClose: () => void;
}

/** Two pictures on top of each other; the slider says how much of each is seen. */
const Compare = ({ one, other, onClose }: CompareProps): ReactElement => {
  const [share, setShare] = useState(50);
  const [left, right] = [useSource(one), useSource(other)];
  return (
    <Dialog title={texts.compare.title} onClose={onClose} isWide>
      <div className="compare">
        <div className="compare-pictures">
          {typeof right === 'string' && (
            <img src={right} alt={texts.compare.right(other.cell ?? other.filename)} />
          )}
          {typeof left === 'string' && (
            <img
              src={left}
              alt={texts.compare.left(one.cell ?? one.filename)}
              style={{ clipPath: `inset(0 ${100 - share}% 0 0)` }}
            />
          )}
          <span className="compare-line" style={{ left: `${share}%` }} aria-hidden="true" />
        </div>
        <label className="compare-slider">
          <span>{one.cell ?? one.filename}</span>
          <input
            type="range"
            min={0}
            max={100}
            value={share}
            aria-label={texts.compare.slider}
            onChange={({ target }) => setShare(Number(target.value))}
          />
          <span>{other.cell ?? other.filename}</span>
        </label>
      </div>
    </Dialog>
  );
};

export default Compare;
