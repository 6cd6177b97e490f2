import type { ReactElement } from 'react';
import type { JobEvent } from '../../state/job-events.js';
import { marblesOf } from '../../state/marbles.js';
import { texts } from '../../texts.js';

const [left, width, rowHeight] = [110, 880, 34];

/** The events of a job as a marble diagram: one line a name, time to the right. */
export const Marbles = ({ events }: { readonly events: readonly JobEvent[] }): ReactElement => {
  const lines = marblesOf(events);
  const height = lines.length * rowHeight;
  return (
    <div className="marbles" tabIndex={0} role="group" aria-label={texts.inspect.diagram(events.length)}>
      <svg viewBox={`0 0 ${left + width + 10} ${height}`} aria-hidden="true">
        {lines.map(({ name, marbles }, row) => {
          const y = row * rowHeight + rowHeight / 2;
          return (
            <g key={name} className={`marble-line is-${/^\w+$/u.test(name) ? name : 'other'}`}>
              <text x="0" y={y + 4}>
                {name}
              </text>
              <line x1={left} x2={left + width} y1={y} y2={y} />
              {marbles.map(({ at, count }) => (
                <g key={at}>
                  <circle cx={left + at * (width - 24) + 12} cy={y} r={count > 1 ? 11 : 7} />
                  {count > 1 && (
                    <text className="marble-count" x={left + at * (width - 24) + 12} y={y + 4}>
                      {count > 99 ? '99+' : count}
                    </text>
                  )}
                </g>
              ))}
            </g>
          );
        })}
      </svg>
    </div>
  );
};
