import { describe, it } from 'vitest';
import { allCases } from '../../src/testing/conformance/all-cases.js';
import { applies } from '../../src/testing/conformance/conformance-case.js';
import type { Target } from '../../src/testing/conformance/target.js';

/**
 * Registers one test for each statement of docs/protocol.md that holds for the target and can be seen there. The
 * target may be any service: give its addresses and a key, and workflows that it can run.
 *
 * `only` narrows it to the statements with numbers for which it answers true.
 */
export const conformanceSuite = (target: Target, only: (id: string) => boolean = () => true): void => {
  describe(`conformance of ${target.name}`, () => {
    const cases = allCases.filter((candidate) => applies(target, candidate) && only(candidate.id));
    for (const conformanceCase of cases) {
      const { id, rows = [], title } = conformanceCase;
      const of = rows.length === 0 ? '' : ` (${rows.join(', ')})`;
      it(`[${id}] ${title}${of}`, () => conformanceCase.run(target));
    }
  });
};
