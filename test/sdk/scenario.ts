import type { SdkTarget } from './target.js';

/** One of the 52 things that a server of API v2 has to do for a client that it did not write. */
export interface Scenario {
  readonly number: number;
  readonly title: string;
  /** Who plays it: the unmodified `@comfyorg/sdk` 0.1.9, plain `fetch` where it can't, or both. */
  readonly by: 'sdk' | 'fetch' | 'sdk and fetch';
  /** Powers without which it can't be played. */
  readonly needs?: readonly (keyof SdkTarget)[];
  /** Throws where the server does otherwise, and {@link NotPossible} where a target can't have the habits for it. */
  readonly play?: (target: SdkTarget) => Promise<void>;
  /** What takes too long for the tests; the board plays it as well. */
  readonly long?: (target: SdkTarget) => Promise<void>;
}

/** What `fresh` of a target rejects with where it can't have these habits. */
export class NotPossible extends Error {}

/** Whether a target has these powers. */
export const isPlayable = (target: SdkTarget, needs: readonly (keyof SdkTarget)[] = []): boolean =>
  needs.every((power) => target[power] !== undefined);
