import { TransportError } from '../transport-error.js';
import { certificateRefusal } from './certificate-refusal.js';

/**
 * Makes the failure of what the runtime threw: only its code and one of our own sentences, as messages of the runtime can
 * quote headers and addresses.
 */
export const transportFailure = (cause: unknown, sent: boolean): TransportError => {
  const code = codeOf(cause);
  const refusal = certificateRefusal(code);
  if (refusal !== undefined) {
    return Object.assign(new TransportError(code, refusal.message, false), { hint: refusal.hint });
  }
  const left = sent && !neverLeft.has(code);
  return new TransportError(code, left ? 'the connection failed' : 'no connection could be made', left);
};

const neverLeft: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'EADDRCLASS',
]);

/** Where several addresses were tried, the first one's failure stands for all. */
const codeOf = (cause: unknown): string => {
  if (typeof cause !== 'object' || cause === null) return 'EUNKNOWN';
  if ('code' in cause && typeof cause.code === 'string') return cause.code;
  return 'errors' in cause && Array.isArray(cause.errors) ? codeOf(cause.errors[0]) : 'EUNKNOWN';
};
