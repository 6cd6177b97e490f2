import { addTallies } from './add-tallies.js';
import type { DerivedFigure } from './figure.js';

/** What the processes of all other figures left unhandled. */
export const cleanProcesses: DerivedFigure = {
  id: 'clean-processes',
  what: "process hygiene over the board's own runs, and over the programs that they start",
  target: '0 unhandled rejections, uncaught exceptions, warnings and deprecations',
  from: [],
  overAll: true,
  derive: (tallies) => {
    const { seen } = addTallies([...tallies.values()]);
    const problems = [...(seen?.unhandled ?? []), ...(seen?.warnings ?? [])];
    return {
      counts: {
        figures: tallies.size,
        processes: seen?.processes ?? 0,
        'programs started': seen?.programs ?? 0,
        unhandled: seen?.unhandled.length ?? 0,
        warnings: seen?.warnings.length ?? 0,
      },
      problems: seen === undefined ? ['no process reported what it saw'] : problems,
    };
  },
};
