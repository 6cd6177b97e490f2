import type { ServiceErrorOf } from './errors.js';
import { serviceError } from './service-error.js';

/** How the network failed. */
export interface NetworkFacts {
  readonly endpoint: string;
  readonly promptId?: string | undefined;
  /** The system's word for it. */
  readonly code: string;
  /** A part of a sentence. */
  readonly message: string;
  readonly sent: boolean;
  /** What has to be done before any other attempt. */
  readonly hint?: string | undefined;
}

/** Makes the error of a network that failed; there is no use in trying again where something has to be done first. */
export const networkError = (facts: NetworkFacts): ServiceErrorOf<'Network'> =>
  serviceError('Network', {
    ...facts,
    message: `The network failed (${facts.code}): ${facts.message}`,
    retry: facts.hint === undefined ? undefined : 'never',
  });
