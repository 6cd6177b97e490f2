import type { CallScope, Ending } from './call-scope.js';
import { networkError, serviceError } from '../errors/service-error.js';
import { sampleOf } from '../redaction/redact.js';
import type { ServiceError } from '../errors/errors.js';
import type { TransportFailure } from '../platform/platform.js';

/**
 * How one attempt failed, and what became of its request: no byte of it left (`unsent`), the service refused it (`refused`), or
 * the service may have acted on it (`unclear`).
 */
export interface Failure {
  readonly error: ServiceError;
  readonly delivery: 'unsent' | 'refused' | 'unclear';
}

/** What the errors of one call have in common. */
export interface CallContext {
  /** `METHOD /path`. */
  readonly endpoint: string;
  readonly promptId?: string | undefined;
  readonly timeoutMs: number;
  readonly redact: (text: string) => string;
}

/** Makes the failure of a rejected request or body; `sent` says whether the platform saw a byte leave. */
export const failureOf = (cause: unknown, scope: CallScope, sent: boolean, context: CallContext): Failure => {
  const ending = scope.ending();
  if (ending !== undefined) {
    const timeoutMs = scope.patience() ?? context.timeoutMs;
    return {
      error: endedError(ending, sent, { ...context, timeoutMs }),
      delivery: sent ? 'unclear' : 'unsent',
    };
  }
  const transport: TransportFailure = isTransportFailure(cause)
    ? cause
    : { code: 'EUNKNOWN', message: 'unknown failure', sent: true };
  const clean = (text: string): string => sampleOf(text, 500, context.redact);
  return {
    error: networkError({
      ...about(context),
      code: clean(transport.code),
      message: clean(transport.message),
      sent: transport.sent,
      hint: transport.hint,
    }),
    delivery: transport.sent ? 'unclear' : 'unsent',
  };
};

/** The error of a call that its caller, the client or the deadline ended. */
export const endedError = (ending: Ending, sent: boolean, context: CallContext): ServiceError => {
  switch (ending) {
    case 'aborted':
      return serviceError('Aborted', { ...about(context), sent });
    case 'closed':
      return serviceError('Closed', about(context));
    case 'timeout':
      return serviceError('Timeout', {
        ...about(context),
        message: `No answer came within ${context.timeoutMs} ms.`,
        timeoutMs: context.timeoutMs,
        sent,
      });
  }
};

const about = ({ endpoint, promptId }: CallContext) => ({ endpoint, promptId });

const isTransportFailure = (cause: unknown): cause is TransportFailure => {
  const it = cause as Readonly<Record<string, unknown>> | null | undefined;
  return (
    typeof it?.['code'] === 'string' && typeof it['message'] === 'string' && typeof it['sent'] === 'boolean'
  );
};
