import type { SdkTarget } from '../../sdk/target.js';

/** One statement of docs/protocol.md, chapter 12, as a check of a running server of API v2. */
export interface V2Case {
  /** The statement's number, e.g. `V.3.1`. */
  readonly id: string;
  readonly title: string;
  /** Powers without which the case cannot be run. */
  readonly needs?: readonly (keyof SdkTarget)[];
  /** Throws where the server does otherwise. */
  readonly run: (target: SdkTarget) => Promise<void>;
}
