import { describe, expect, it } from 'vitest';
import { searchHostileFile } from './hostile-file.js';
import { workflowIn } from '../../../src/workflow.js';
import { prompt, samples, workflow } from './samples.js';
import { runs, some } from '../../helpers/runs.js';

/** So many files in one run of all tests; `PROMPTWIRE_HOSTILE_FILES=100000 npx vitest run test/workflow/metadata/hostile` for more. */
const count = Number(process.env['PROMPTWIRE_HOSTILE_FILES'] ?? runs(3000));

/** All beginnings of a file only where there is time. */
const step = count > 3000 ? 1 : 7;

describe('workflowIn', () => {
  it(
    `gives a value for any bytes, and reads little of them: ${count} files`,
    { timeout: 600_000 },
    async () => {
      const tags = { Found: 0, None: 0, Problem: 0 };
      for (let seed = 1; seed <= count; seed += 1) tags[await searchHostileFile(seed)] += 1;
      for (const tagged of Object.values(tags)) expect(tagged).toBeGreaterThan(count / 20);
    },
  );

  it('gives a value for every beginning of every sample', async () => {
    for (const [turn, [what, , file]] of samples.entries()) {
      const ends = Array.from({ length: Math.ceil(file.length / step) }, (_, at) => at * step);
      for (const end of some(ends, { every: 5, turn })) {
        const search = await workflowIn(file.subarray(0, end));
        if (search._tag === 'Problem' && search.problem.reason === 'unreadable')
          throw new Error(`${what}, ${end} bytes: ${search.problem.message}`);
        if (search._tag === 'Found')
          for (const [found, written] of [
            [search.prompt, prompt],
            [search.workflow, workflow],
          ] as const)
            if (found !== undefined && found.text !== written) throw new Error(`${what}, ${end} bytes`);
      }
    }
  });
});
