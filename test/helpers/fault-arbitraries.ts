import fc from 'fast-check';
import type { RequestFate, SocketFate } from './simulated-service.js';

const soonMs = fc.integer({ min: 0, max: 400 });

/** A socket that opens, opens for a while, or does not open. */
export const socketFate: fc.Arbitrary<SocketFate> = fc.record({
  afterMs: soonMs,
  how: fc.oneof(
    { weight: 5, arbitrary: fc.constant('opens' as const) },
    { weight: 3, arbitrary: fc.constantFrom('refused' as const, 'hangs' as const, 503 as const) },
    { weight: 1, arbitrary: fc.constantFrom(401 as const, 402 as const) },
  ),
  livesMs: fc.oneof(fc.integer({ min: 0, max: 5_000 }), fc.constant(Infinity)),
  ends: fc.boolean(),
});

/** Anything that may happen to a request. */
export const requestFate: fc.Arbitrary<RequestFate> = fc.record({
  afterMs: soonMs,
  how: fc.constantFrom(
    'answered' as const,
    'unreachable' as const,
    'cut before' as const,
    'cut after' as const,
    'hangs before' as const,
    'hangs after' as const,
    'fails before' as const,
    'fails after' as const,
    'throttled' as const,
    'garbled' as const,
  ),
});

/** What a read may suffer and be repeated after. */
export const passingTrouble: fc.Arbitrary<RequestFate> = fc.record({
  afterMs: soonMs,
  how: fc.constantFrom(
    'answered' as const,
    'unreachable' as const,
    'cut before' as const,
    'fails before' as const,
  ),
});
