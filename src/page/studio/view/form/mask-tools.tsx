import type { ReactElement } from 'react';
import type { Mask, MaskAction, Stroke } from '../../state/mask.js';
import { texts } from '../../texts.js';

/** What the next stroke is drawn with. */
export type Brush = Pick<Stroke, 'width' | 'isErasing'>;

interface MaskToolsProps {
  readonly mask: Mask;
  readonly act: (action: MaskAction) => void;
  readonly brush: Brush;
  readonly setBrush: (brush: Brush) => void;
}

/** Brush, eraser, their width, and the way back. */
export const MaskTools = ({ mask, act, brush, setBrush }: MaskToolsProps): ReactElement => (
  <div className="mask-tools" role="toolbar" aria-label={texts.mask.tools}>
    <button
      type="button"
      aria-pressed={!brush.isErasing}
      onClick={() => setBrush({ ...brush, isErasing: false })}
    >
      {texts.mask.brush}
    </button>
    <button
      type="button"
      aria-pressed={brush.isErasing}
      onClick={() => setBrush({ ...brush, isErasing: true })}
    >
      {texts.mask.eraser}
    </button>
    <label>
      {texts.mask.width}
      <input
        type="range"
        min={4}
        max={200}
        value={brush.width}
        onChange={({ target }) => setBrush({ ...brush, width: Number(target.value) })}
      />
    </label>
    <button type="button" disabled={mask.strokes.length === 0} onClick={() => act({ type: 'undo' })}>
      {texts.mask.undo}
    </button>
    <button type="button" disabled={mask.undone.length === 0} onClick={() => act({ type: 'redo' })}>
      {texts.mask.redo}
    </button>
    <button type="button" disabled={mask.strokes.length === 0} onClick={() => act({ type: 'clear' })}>
      {texts.mask.clear}
    </button>
  </div>
);
