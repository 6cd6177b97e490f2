import type { JobEvent } from './job-events.js';

/** A marble: an event, or several of a kind that stand too close to tell apart. */
export interface Marble {
  /** 0 to 1 along the line. */
  readonly at: number;
  readonly count: number;
}

/** A line of the diagram: the events of one name. */
export interface MarbleLine {
  readonly name: string;
  readonly marbles: readonly Marble[];
}

/** Marbles closer than this are one. */
const least = 1 / 120;

/** Draws events as lines of marbles, one a name, in the order in which the names first came. */
export const marblesOf = (events: readonly JobEvent[]): readonly MarbleLine[] => {
  const start = events[0]?.at ?? 0;
  const span = Math.max(1, (events.at(-1)?.at ?? 0) - start);
  const lines = new Map<string, Marble[]>();
  for (const { name, at } of events) {
    const line = lines.get(name) ?? [];
    lines.set(name, line);
    const place = Math.min(1, Math.max(0, (at - start) / span));
    const last = line.at(-1);
    if (last !== undefined && place - last.at < least)
      line[line.length - 1] = { ...last, count: last.count + 1 };
    else line.push({ at: place, count: 1 });
  }
  return [...lines].map(([name, marbles]) => ({ name, marbles }));
};
