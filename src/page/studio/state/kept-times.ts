import type { Timeline } from './timeline.js';

/** When the nodes of jobs ran: no service tells it, so that the browser keeps what a page has watched. */
export interface KeptTimes {
  readonly of: (jobId: string) => Timeline | undefined;
  readonly keep: (jobId: string, timeline: Timeline) => void;
}

const key = 'promptwire times';

/** How many jobs keep their times. */
const most = 100;

/** Keeps times in a storage of the browser; one that is full or forbidden keeps none. */
export const openKeptTimes = (storage: Pick<Storage, 'getItem' | 'setItem'>): KeptTimes => {
  let read = { text: '[]', times: new Map<string, Timeline>() };
  const all = (): ReadonlyMap<string, Timeline> => {
    const text = storage.getItem(key) ?? '[]';
    if (read.text !== text) read = { text, times: timesIn(text) };
    return read.times;
  };
  return {
    of: (jobId) => {
      const timeline = all().get(jobId);
      return timeline && { ...timeline, isKept: true };
    },
    keep: (jobId, timeline) => {
      const others = [...all()].filter(([id]) => id !== jobId);
      try {
        storage.setItem(key, JSON.stringify([...others, [jobId, timeline] as const].slice(-most)));
      } catch {
        // Times are a comfort.
      }
    },
  };
};

const timesIn = (text: string): Map<string, Timeline> => {
  try {
    return new Map(JSON.parse(text) as [string, Timeline][]);
  } catch {
    return new Map();
  }
};
