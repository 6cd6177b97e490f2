import { describe, expect, it } from 'vitest';
import { lawWithinMs } from '../../helpers/patient.js';
import { playGenerated } from './laws.js';
import { often, runs } from '../../helpers/runs.js';

describe('the conversion of generated files', () => {
  it(
    'gives the workflow that the file stands for, and the validator finds in it what was planted, and nothing else',
    () => {
      const played = Array.from({ length: runs(400) }, (_, at) => playGenerated(at + 1));
      expect(
        played.flatMap(({ problems }, at) => problems.map((problem) => `seed ${at + 1}: ${problem}`)),
      ).toEqual([]);
      expect(played.filter(({ subgraphs }) => subgraphs > 1).length).toBeGreaterThan(often(50));
      expect(played.filter(({ isMistaken }) => isMistaken).length).toBeGreaterThan(often(100));
    },
    lawWithinMs,
  );
});
