import { catchError, defer, finalize, firstValueFrom, map, merge, of, take } from 'rxjs';
import type { Clock } from '../../../core/platform/platform.js';
import { fromAbortSignal } from '../../../core/interop/from-abort-signal.js';
import { timerOn } from '../../../core/platform/timer.js';
import { retryAfter } from '../../../core/errors/retry-after.js';

/** One try of a message. */
export interface WebhookRequest {
  /** An absolute `http:` or `https:` address without credentials. */
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON, to be sent as it is. */
  readonly body: string;
  /** True if the host may have any address; otherwise only connections to public addresses may be opened. */
  readonly anyAddress: boolean;
  /** Ends the try, whatever it waits for. */
  readonly signal: AbortSignal;
}

/** Sends the messages of webhooks; `webhookSender` of `promptwire/gateway/node` makes one that checks addresses. */
export interface WebhookSender {
  /**
   * Sends a `POST` once and resolves with the status of its answer, of which it reads no body, and with its header `Retry-After` where
   * there is one. It follows no redirect. Rejects where there is no answer, with the `code` `EADDRCLASS` for an address that is not public.
   */
  readonly send: (request: WebhookRequest) => Promise<number | WebhookAnswer>;
  /** Ends what is under way, and the connections. */
  readonly close?: () => Promise<void>;
}

/** What the target of a webhook answered. */
export interface WebhookAnswer {
  /** The status. */
  readonly status: number;
  /** The header `Retry-After` as it came: seconds or a date. */
  readonly retryAfter?: string | undefined;
}

/** How a try ended: `stopped` says nothing of the target. */
export type TryResult =
  | { readonly _tag: 'delivered' | 'stopped' }
  | {
      readonly _tag: 'gone' | 'failed';
      readonly reason: string;
      /** How long the target asks to wait, in milliseconds. */
      readonly retryAfterMs?: number | undefined;
    };

/** Options of one attempt to deliver: the sender, its clock and its time limit. */
export interface TryOptions {
  readonly sender: WebhookSender;
  readonly clock: Clock;
  readonly timeoutMs: number;
  /** Ends the try from outside. */
  readonly stopped: AbortSignal;
}

/** Sends a message once; resolves within `timeoutMs`, and at once when it is stopped, whatever the sender does. Never rejects. */
export const tryOnce = (
  request: Omit<WebhookRequest, 'signal'>,
  { sender, clock, timeoutMs, stopped }: TryOptions,
): Promise<TryResult> => {
  const over = new AbortController();
  return firstValueFrom(
    merge(
      fromAbortSignal(stopped).pipe(map((): TryResult => ({ _tag: 'stopped' }))),
      timerOn(clock, timeoutMs).pipe(map((): TryResult => failed(`no answer within ${timeoutMs} ms`))),
      defer(() => sender.send({ ...request, signal: over.signal })).pipe(
        map((answer) => resultOf(answer, clock.wall())),
        catchError((cause: unknown) => of(failed(reasonOf(cause)))),
      ),
    ).pipe(
      take(1),
      finalize(() => over.abort()),
    ),
    { defaultValue: { _tag: 'stopped' } },
  );
};

const failed = (reason: string): TryResult => ({ _tag: 'failed', reason });

const resultOf = (answer: number | WebhookAnswer, wallMs: number): TryResult => {
  const { status, retryAfter: header }: WebhookAnswer =
    typeof answer === 'number' ? { status: answer } : answer;
  if (status >= 200 && status < 300) return { _tag: 'delivered' };
  if (status === 410) return { _tag: 'gone', reason: 'it answered 410: it is gone' };
  const reason =
    status >= 300 && status < 400
      ? `it answered ${status}, and no redirect is followed`
      : `it answered ${status}`;
  return { _tag: 'failed', reason, retryAfterMs: retryAfter(header, wallMs) };
};

/** A code alone: messages of errors may hold the address. */
const reasonOf = (cause: unknown): string => {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown';
  return code === 'EADDRCLASS'
    ? 'its name leads to an address that is not public'
    : `it could not be reached (${/^\w{1,40}$/u.test(code) ? code : 'unknown'})`;
};
