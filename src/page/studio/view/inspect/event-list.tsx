import type { ReactElement } from 'react';
import type { JobEvent } from '../../state/job-events.js';
import { texts } from '../../texts.js';

/** How many of the latest events the list shows; a recording has them all. */
const most = 200;

/** The events of a job, one a line; each opens to what it holds. */
export const EventList = ({ events }: { readonly events: readonly JobEvent[] }): ReactElement => {
  const start = events[0]?.at ?? 0;
  const hidden = Math.max(0, events.length - most);
  return (
    <>
      {hidden > 0 && <p className="hint">{texts.inspect.hidden(hidden)}</p>}
      <ol className="events" start={hidden + 1}>
        {events.slice(hidden).map((event, at) => (
          <li key={hidden + at}>
            <details>
              <summary>
                <span className="event-time">{texts.inspect.after(event.at - start)}</span>
                <span className="event-name">{event.name}</span>
                <span className="event-text">{texts.inspect.summary(event)}</span>
              </summary>
              <pre tabIndex={0}>{JSON.stringify(event.data, null, 2)}</pre>
            </details>
          </li>
        ))}
      </ol>
    </>
  );
};
