import { encodings } from '../helpers/needles.js';
import { addTallies } from './add-tallies.js';
import { runSecretCommands } from './cli-secret-cases.js';
import type { DerivedFigure, Figure } from './figure.js';
import { runPartnerJobs } from './partner-key-cases.js';
import { playRedirects } from './redirect-cases.js';

const casesToSee = 1_000;

/** The part of `no-secret-shown` that is its own: redirects on real sockets, and commands with the key. */
export const secretCases: Figure = {
  id: 'secret-cases',
  what: 'redirects on real sockets, commands with the key in everything that they are given',
  target: '0 headers, cookies, referers and keys to any other origin',
  // So many that more than 1,000 are followed to another origin.
  count: 1_600,
  splits: true,
  isPart: true,
  run: async (range) => {
    const redirects = await playRedirects(range);
    if (range.from !== 1) return redirects;
    const { commands, files } = await runSecretCommands();
    const partnerJobs = await runPartnerJobs();
    const counts = { ...redirects.counts, commands, 'files left': files, 'partner jobs': partnerJobs };
    return { ...redirects, counts };
  },
};

/** All that any process of the board showed, searched for the key, the partner's key and a signature. */
export const noSecretShown: DerivedFigure = {
  id: 'no-secret-shown',
  what: "secret scan of the board's own runs: output, errors and states, `inspect` at depth 10, JSON, files, commands, redirects",
  target: `0 hits in ${encodings} encodings; 0 headers, cookies or referers to another origin in ≥ ${casesToSee} redirects`,
  from: [secretCases.id],
  overAll: true,
  derive: (tallies) => {
    const { seen } = addTallies([...tallies.values()]);
    const { counts = {}, problems = [] } = tallies.get(secretCases.id) ?? {};
    const { leaks = [], bytes = 0, things = 0 } = seen ?? {};
    const followed = counts['followed elsewhere'] ?? 0;
    return {
      counts: {
        ...counts,
        figures: tallies.size,
        'things looked at': things,
        'MiB searched': bytes / 1024 / 1024,
        hits: leaks.length,
      },
      problems: [
        ...leaks,
        ...problems,
        ...(followed < casesToSee ? [`only ${followed} redirects to another origin`] : []),
        ...(things === 0 ? ['nothing was looked at'] : []),
      ],
    };
  },
};
