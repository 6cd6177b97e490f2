import { useRef, useState, type ReactElement } from 'react';
import { texts } from '../../texts.js';

interface View {
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}

const whole: View = { scale: 1, x: 0, y: 0 };

const zoomed = ({ scale, x, y }: View, by: number): View => {
  const next = Math.min(16, Math.max(1, scale * by));
  return next === 1 ? whole : { scale: next, x: (x * next) / scale, y: (y * next) / scale };
};

interface ZoomProps {
  readonly source: string;
  readonly alt: string;
  readonly onError: () => void;
}

/** A picture that is looked at closely: by wheel, keys, buttons and dragging. */
export const Zoom = ({ source, alt, onError }: ZoomProps): ReactElement => {
  const [view, setView] = useState(whole);
  const from = useRef<{ readonly x: number; readonly y: number }>(undefined);
  const zoom = (by: number): void => setView((before) => zoomed(before, by));
  return (
    <div className="zoom">
      <div
        className="zoom-picture"
        tabIndex={0}
        role="group"
        aria-label={texts.zoom.how}
        onWheel={({ deltaY }) => zoom(deltaY < 0 ? 1.2 : 1 / 1.2)}
        onDoubleClick={() => setView(view.scale === 1 ? zoomed(whole, 3) : whole)}
        onKeyDown={({ key }) => {
          if (key === '+' || key === '=') zoom(1.4);
          if (key === '-') zoom(1 / 1.4);
          if (key === '0') setView(whole);
        }}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          from.current = { x: event.clientX - view.x, y: event.clientY - view.y };
        }}
        onPointerMove={({ clientX, clientY }) => {
          const start = from.current;
          if (start !== undefined && view.scale > 1)
            setView({ scale: view.scale, x: clientX - start.x, y: clientY - start.y });
        }}
        onPointerUp={() => (from.current = undefined)}
        onPointerCancel={() => (from.current = undefined)}
      >
        <img
          src={source}
          alt={alt}
          onError={onError}
          draggable={false}
          style={{ transform: `translate(${view.x}px, ${view.y}px) scale(${view.scale})` }}
        />
      </div>
      <div className="zoom-tools">
        <button type="button" className="icon" aria-label={texts.zoom.out} onClick={() => zoom(1 / 1.4)}>
          −
        </button>
        <output>{texts.zoom.scale(view.scale)}</output>
        <button type="button" className="icon" aria-label={texts.zoom.in} onClick={() => zoom(1.4)}>
          +
        </button>
      </div>
    </div>
  );
};
