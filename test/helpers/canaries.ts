import { canary } from './http-connection.js';

/**
 * Secrets that figures and programs of the board work with, so that one scan finds them wherever they are shown. They
 * hold characters that addresses, forms and JSON escape, and none of the words by which a redactor knows any key.
 */
export const canaries = {
  key: 'Zq7+Yt4/Kj1=Vb9xW2mN',
  partnerKey: 'Rd5/Hw8+Lc3=Gs6pT1fX',
  signature: 'Mu2+Bn9/Xe4=Dy7vQ5rJ',
  /** Of {@link httpConnection}. */
  connectionKey: canary,
} as const;

/** One key after another: each holds {@link canaries}`.key`, so a scan for that finds all. */
export const canaryKey = (number: number | string): string => `${canaries.key}-${number}`;
