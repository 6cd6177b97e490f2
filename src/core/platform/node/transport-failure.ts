import { TransportError } from '../platform.js';

/** How much of a request had left when it failed: nothing, a part that the server can't act on, or maybe all of it. */
export type Delivery = 'unsent' | 'in part' | 'sent';

/**
 * Makes the failure of an error that the runtime threw: only its code and one of our own sentences, as messages of the runtime can
 * quote headers and addresses.
 */
export const transportFailure = (cause: unknown, delivery: Delivery): TransportError => {
  if (cause instanceof TransportError && !cause.sent) return cause;
  const code = codeOf(cause);
  const refusal = certificateRefusal(code);
  if (refusal !== undefined) {
    return new TransportError(code, refusal.message, false, refusal.hint);
  }
  const reached = neverLeft.has(code) ? 'unsent' : delivery;
  return new TransportError(code, sentences[reached], reached === 'sent');
};

const sentences: Readonly<Record<Delivery, string>> = {
  unsent: 'no connection could be made',
  'in part': 'the connection failed before the request had left whole',
  sent: 'the connection failed',
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

/** What is wrong, as a part of a sentence, and what to do. */
export interface CertificateRefusal {
  readonly message: string;
  readonly hint: string;
}

/**
 * Says by Node's code of a failure that the certificate of the service was refused, and what to do; undefined for all other
 * failures. Until that is done every further attempt is refused as well.
 */
export const certificateRefusal = (code: string): CertificateRefusal | undefined => {
  const hint = hintOf(code);
  return hint === undefined ? undefined : { message: 'the certificate is not accepted', hint };
};

const hintOf = (code: string): string | undefined => {
  if (code.startsWith('ERR_TLS_CERT_ALTNAME') || code === 'HOSTNAME_MISMATCH') {
    return 'Check the host in baseUrl and wsUrl: the certificate is made out to another one.';
  }
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID') {
    return "Check this machine's clock; where it is right, the operator of the service has to renew the certificate.";
  }
  return refusals.test(code)
    ? 'If you trust the service, start Node.js with NODE_EXTRA_CA_CERTS=FILE: its certificate, or that of its authority, in PEM.'
    : undefined;
};

/** The codes of OpenSSL's verification; those that begin with ERR_SSL are alerts of the peer, about something else. */
const refusals = /^(?!ERR_SSL).*(?:CERT|LEAF_SIGNATURE|INVALID_CA|INVALID_PURPOSE)/;
