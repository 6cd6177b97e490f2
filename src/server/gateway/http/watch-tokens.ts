import type { Caller } from '../options.js';
import type { Clock } from '../../../core/platform/platform.js';

/** What a watch token lets its holder see: one job, or all jobs of the caller and their common stream. */
export interface WatchClaim {
  readonly caller: Caller;
  readonly jobId?: string | undefined;
  /** Set where the token opens previews and nothing else. */
  readonly only?: 'previews' | undefined;
}

/** Makes and reads watch tokens: for `EventSource` and `<img>`, which can't send a header. */
export interface WatchTokens {
  /** Makes a token for `forMs` milliseconds, at most five minutes. */
  readonly issue: (claim: WatchClaim, forMs?: number) => Promise<WatchToken>;
  /** The claim of a token; undefined if it is forged or has expired. */
  readonly read: (token: string) => Promise<WatchClaim | undefined>;
}

/** A token with its end. */
export interface WatchToken {
  readonly ticket: string;
  /** In milliseconds since 1970. */
  readonly expiresAt: number;
}

/** A token lives at most five minutes. */
export const longestTokenMs = 5 * 60_000;

/** Signs tokens by HMAC-SHA-256 with `secret`, by default a random one. */
export const watchTokens = ({ secret, clock }: WatchTokensOptions): WatchTokens => {
  const key = crypto.subtle.importKey(
    'raw',
    Uint8Array.from(secret ?? crypto.getRandomValues(new Uint8Array(32))),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign', 'verify'],
  );
  // A key that can't be imported rejects each call instead.
  key.catch(() => undefined);
  return {
    issue: async ({ caller, jobId, only }, forMs = longestTokenMs) => {
      const expiresAt = Math.floor(clock.wall() + Math.min(forMs, longestTokenMs));
      const body: TokenBody = {
        caller,
        expiresAt,
        ...(jobId === undefined ? {} : { jobId }),
        ...(only === undefined ? {} : { only }),
      };
      const text = base64url(new TextEncoder().encode(JSON.stringify(body)));
      const signature = await crypto.subtle.sign('HMAC', await key, new TextEncoder().encode(text));
      return { ticket: `${text}.${base64url(new Uint8Array(signature))}`, expiresAt };
    },
    read: async (token) => {
      const [text = '', signed = '', ...rest] = token.split('.');
      const signature = bytesOf(signed);
      if (signature === undefined || rest.length > 0) return undefined;
      const isOurs = await crypto.subtle.verify('HMAC', await key, signature, new TextEncoder().encode(text));
      if (!isOurs) return undefined;
      const body = JSON.parse(new TextDecoder().decode(bytesOf(text))) as TokenBody;
      return body.expiresAt > clock.wall()
        ? { caller: body.caller, jobId: body.jobId, only: body.only }
        : undefined;
    },
  };
};

/** Options of {@link watchTokens}. */
interface WatchTokensOptions {
  readonly secret?: Uint8Array | undefined;
  readonly clock: Pick<Clock, 'wall'>;
}

interface TokenBody extends WatchClaim {
  readonly expiresAt: number;
}

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

/** One spelling only: a token that differs in a character is another token. */
const bytesOf = (text: string): Uint8Array<ArrayBuffer> | undefined => {
  if (!/^[\w-]+$/u.test(text)) return undefined;
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) =>
      char.charCodeAt(0),
    );
    return base64url(bytes) === text ? bytes : undefined;
  } catch {
    return undefined;
  }
};
