import { defaultPlatform } from '../../node.js';
import type { GatewayOptions } from '../../gateway.js';
import { inputFetcher } from '../../gateway-node.js';
import { originOf } from './origin-of.js';

/** Flags about submissions that wait and bring files. */
export interface CallFlags {
  readonly inputOrigin?: readonly string[];
  readonly maxWait?: number;
}

/** How long submissions wait, and from where they may name files; no origin unless it is listed. */
export const callsOf = ({
  inputOrigin = [],
  maxWait,
}: CallFlags): Pick<GatewayOptions, 'inputs' | 'maxWaitMs'> => ({
  ...(maxWait !== undefined && { maxWaitMs: maxWait * 1000 }),
  ...(inputOrigin.length > 0 && {
    inputs: {
      fetcher: inputFetcher(defaultPlatform()),
      origins: inputOrigin.map((text) => originOf(text, '--input-origin')),
    },
  }),
});
