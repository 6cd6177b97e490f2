import * as fc from 'fast-check';
import { engineIdOf, jobIdOf } from '../../../src/server/queue/engine/engine-id.js';
import { expect, it } from 'vitest';
import { runs } from '../../helpers/runs.js';
import { uuid } from '../../../src/core/platform/uuid.js';

const reserved = ['', 'delayed', 'meta'];

it('Q2 leaves a UUID and a plain name as it is', () => {
  for (const id of [uuid(), 'x', 'job.1_a', '1a']) expect(engineIdOf(id, reserved)).toBe(id);
});

it('Q2 law: no two ids have one, and none is a name of the engine, a number or divided by a colon', () => {
  const anId = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom(...reserved, '7', 'a:b', 'id-delayed'),
  );
  fc.assert(
    fc.property(anId, (id) => {
      const engineId = engineIdOf(id, reserved);
      expect(jobIdOf(engineId)).toBe(id);
      expect(reserved).not.toContain(engineId);
      expect(engineId).not.toMatch(/^\d+$|:/u);
    }),
    { numRuns: runs(200) },
  );
});
