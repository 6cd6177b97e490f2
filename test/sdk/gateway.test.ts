import { describe, expect, it } from 'vitest';
import { allScenarios } from './all-scenarios.js';
import { gatewayTarget } from './gateway-target.js';
import { isPlayable, NotPossible } from './scenario.js';
import { some } from '../helpers/runs.js';
import { reasonToLeaveOut, upstreamDialects } from './gateway-left-out.js';

describe.concurrent.each(upstreamDialects)('the SDK against the gateway over %s', (dialect) => {
  for (const { number, title, by, needs, play } of allScenarios) {
    if (play === undefined) continue;
    if (!some(upstreamDialects, { every: 3, turn: number }).includes(dialect)) continue;
    const reason = reasonToLeaveOut(number, dialect);
    it(`${number} (${by}) ${reason === undefined ? title : `is left out: ${reason}`}`, async () => {
      await using target = await gatewayTarget(dialect)();
      if (reason === undefined) {
        expect(isPlayable(target, needs), 'it has what the scenario needs').toBe(true);
        await play(target);
      } else if (isPlayable(target, needs)) await expect(play(target)).rejects.toThrow(NotPossible);
    });
  }
});
