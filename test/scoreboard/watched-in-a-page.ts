import type { Figure } from './figure.js';
import { watchInPages } from './gateway/watch-page.js';

const [wholeCount, mostConnections] = [50, 2];

/** Jobs watched in a page. */
export const watchedInAPage: Figure = {
  id: 'watched-in-a-page',
  what: `${wholeCount} jobs followed by a page over HTTP/1.1 (Chromium): it is reloaded, loses the network while all connections are cut, is frozen, and is joined by a second tab, which goes on when the first one closes`,
  target: `one stream, ≤ ${mostConnections} connections at a time; each job ends for the page as it did, no state comes twice or goes backwards, no error in the console`,
  count: wholeCount,
  splits: false,
  run: async ({ count }) => {
    const { jobs, states, ...watched } = await watchInPages(count);
    const tooMany = [
      ...(watched.maxStreams > 1 ? [`${watched.maxStreams} streams at a time`] : []),
      ...(watched.mostConnections > mostConnections
        ? [`${watched.mostConnections} connections at a time`]
        : []),
    ];
    return {
      counts: {
        jobs,
        'states told': states,
        'most streams': watched.maxStreams,
        'most connections': watched.mostConnections,
      },
      problems: [...watched.problems, ...tooMany].map(
        (problem) => `${problem}; npm run scoreboard -- watched-in-a-page`,
      ),
    };
  },
};
