import type { ConnectionState } from './connection-state.js';
import { redirectTarget } from '../errors/seen.js';
import { sampleOf } from '../redaction/redact.js';
import type { ServiceError } from '../errors/errors.js';
import { serviceError } from '../errors/service-error.js';
import type { SocketEnd } from '../platform/platform.js';

/** Why no further attempt can succeed. */
export interface FatalEnd {
  readonly cause: Extract<ConnectionState, { _tag: 'failed' }>['cause'];
  readonly error: ServiceError;
}

/**
 * Whether the service, or a proxy in its place, refuses this client: a handshake answered with 401, 403 or 429, or a socket that
 * was accepted and then closed with 1008 (policy), 4401 or 4403. One such end proves nothing: REST is asked. Where there is no account,
 * a 402 is a proxy's, and as doubtful.
 */
export const isRefusedEnd = ({ status, code }: SocketEnd, hasAccount = true): boolean =>
  status === undefined
    ? code === 1008 || code === 4401 || code === 4403
    : status === 401 || status === 403 || status === 429 || (status === 402 && !hasAccount);

/**
 * Reads a refused handshake: 401 and 403 are about the key, 402 and 429 about the plan where there is one, a redirect is never followed,
 * and an answer that is no handshake at all (200, 404, 426) is believed the second time. Everything else, and every
 * end without a status, is worth another attempt, unless the platform knows better (a certificate that is not accepted).
 * Where a socket was open before it is not believed: that certificate may be another network's, or be replaced soon.
 */
export const fatalEnd = (
  { status, final, location }: SocketEnd,
  attempt: number,
  wasOpen: boolean,
  hasAccount = true,
): FatalEnd | undefined => {
  if (final !== undefined) return wasOpen ? undefined : { cause: 'config', error: final };
  if (status === undefined) return undefined;
  const endpoint = 'GET /ws';
  const refusal = refusalOf(status, hasAccount);
  if (refusal !== undefined) {
    const message = `The socket's handshake was refused (${status}).`;
    return { cause: refusal.cause, error: serviceError(refusal.tag, { status, endpoint, message }) };
  }
  const misplaced = status >= 300 && status < 400;
  const target = misplaced ? redirectTarget(location) : undefined;
  const notASocket = (status === 200 || status === 404 || status === 426) && attempt > 0;
  if (misplaced || notASocket) {
    return {
      cause: 'config',
      error: serviceError('ProtocolChanged', {
        status,
        endpoint,
        message: `The socket's address ${target === undefined ? 'answered' : `redirects to ${sampleOf(target, 200)}, with`} ${status} instead of opening a WebSocket.`,
        hint: 'Check baseUrl and wsUrl: the socket is expected at /ws below wsUrl.',
      }),
    };
  }
  return undefined;
};

/** Without an account a 402 is a proxy's, and says as much as its 403. */
const refusalOf = (status: number, hasAccount: boolean) =>
  refusals.get(status === 402 && !hasAccount ? 403 : status);

const refusals: ReadonlyMap<
  number,
  {
    readonly cause: FatalEnd['cause'];
    readonly tag: 'Unauthorized' | 'Forbidden' | 'InsufficientCredits' | 'SubscriptionInactive';
  }
> = new Map([
  [401, { cause: 'auth', tag: 'Unauthorized' }],
  [403, { cause: 'auth', tag: 'Forbidden' }],
  [402, { cause: 'billing', tag: 'InsufficientCredits' }],
  [429, { cause: 'billing', tag: 'SubscriptionInactive' }],
]);
