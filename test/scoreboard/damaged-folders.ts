import { damageFiles } from '../gateway/node/damage-files.js';
import type { Figure } from './figure.js';
import { randomOf } from '../simulation/random.js';

/** Files of LevelDB that somebody damaged. */
export const damagedFolders: Figure = {
  id: 'damaged-folders',
  what: 'one to three places of a folder’s LevelDB files overwritten, zeroed, cut off, emptied, prolonged or removed, and a gateway’s ports opened over it (real disk)',
  target:
    'every start succeeds, or ends with an error that names --check --repair, after which it succeeds; 0 losses that nothing tells of, but for what a kill would lose as well',
  count: 1_000,
  splits: true,
  run: async (range) => {
    const { cases, started, repaired, told, problems } = await damageFiles(range, (seed) =>
      randomOf(seed, 4),
    );
    return {
      counts: { starts: cases, 'at once': started, 'after the repair': repaired, 'losses told': told },
      problems: problems.map((problem) => `${problem}; npm run scoreboard -- damaged-folders`),
    };
  },
  shortfalls: ({ counts }, count) => [
    ...(counts['starts'] === count ? [] : [`${counts['starts'] ?? 0} of ${count} starts`]),
    ...(count < 50 || (counts['losses told'] ?? 0) > 0 ? [] : ['nothing was lost']),
  ],
};
