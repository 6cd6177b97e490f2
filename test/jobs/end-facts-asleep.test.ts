import { describe, expect, it } from 'vitest';
import * as E from 'fp-ts/lib/Either.js';
import { EndFacts } from '../../src/client/jobs/end-facts.js';
import { noOutputs } from '../../src/core/state/outputs.js';
import { serviceError } from '../../src/core/errors/service-error.js';

/** A job that completed, as its socket told, and whose record has been read once in vain. */
const trailing = () => {
  let now = 0;
  const facts = new EndFacts(
    {
      promptId: 'p',
      ends: [{ promptId: 'p', phase: 'completed', failure: undefined, source: 'socket' }],
      outputs: noOutputs,
      gapless: false,
      hasBegun: true,
    },
    {
      clock: { now: () => now, wall: () => now, after: () => () => undefined },
      recordWithinMs: 120_000,
      recordsAppearWhole: false,
      recordsHoldMessages: false,
    },
  );
  facts.begin();
  facts.takeRecord(E.left(serviceError('NotFound', {})));
  return { facts, sleep: (ms: number) => (now += ms) };
};

describe('what is known of an end', () => {
  it.each(['NotFound', 'Timeout'] as const)(
    'F43: counts no hours of sleep before a read that met %s',
    (tag) => {
      const { facts, sleep } = trailing();
      sleep(3_600_000);
      facts.takeRecord(E.left(serviceError(tag, {})));
      expect(facts.leftMs).toBeGreaterThan(0);
    },
  );
});
