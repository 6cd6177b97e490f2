import type { Settings } from '../settings.js';
import { seededRandom } from '../engine/random.js';

/**
 * How long the record of each next job trails its terminal event, in milliseconds: what the switch says, or 0 to 10, drawn by the seed.
 *
 * A server without delays (`speed: Infinity`) draws none.
 */
export const recordDelays = ({
  switches: { recordDelayMs },
  speed,
  seed,
}: Pick<Settings, 'switches' | 'speed' | 'seed'>): (() => number) => {
  if (recordDelayMs !== 'random') return () => recordDelayMs;
  if (speed === Infinity) return () => 0;
  const random = seededRandom(BigInt(seed), 'record delay');
  return () => random() * LONGEST_MS;
};

/** An engine's records came within 10 ms. */
const LONGEST_MS = 10;
