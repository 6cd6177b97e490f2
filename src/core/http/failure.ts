import type { CallScope, Ending } from './call-scope.js';
import { networkError, serviceError } from '../errors/service-error.js';
import { sampleOf } from '../redaction/redact.js';
import type { ServiceError } from '../errors/errors.js';
import type { TransportFailure } from '../platform/platform.js';

/**
 * How one attempt failed, and what became of its request: it did not leave whole (`unsent`), the service refused it (`refused`), or
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
  /** Whether a large body gets more time for its answer: the caller has set no limit. */
  readonly isRelaxed?: boolean;
  /** Whether the request had a header `origin` of the program's own. */
  readonly sentOrigin?: boolean;
  readonly redact: (text: string) => string;
}

/** How far a call has come: its request has not left whole, it may have, or its answer has begun. */
export type Stage = 'unsent' | 'sent' | 'answered';

/** Makes the failure of a rejected request or body. */
export const failureOf = (cause: unknown, scope: CallScope, stage: Stage, context: CallContext): Failure => {
  const ending = scope.ending();
  if (ending !== undefined) {
    const timeoutMs = scope.patience() ?? context.timeoutMs;
    return {
      error: endedError(ending, stage, { ...context, timeoutMs }),
      delivery: stage === 'unsent' ? 'unsent' : 'unclear',
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
export const endedError = (ending: Ending, stage: Stage, context: CallContext): ServiceError => {
  const sent = stage !== 'unsent';
  switch (ending) {
    case 'aborted':
      return serviceError('Aborted', { ...about(context), sent });
    case 'closed':
      return serviceError('Closed', about(context));
    case 'timeout':
      return serviceError('Timeout', {
        ...about(context),
        message: silences[stage](context.timeoutMs),
        timeoutMs: context.timeoutMs,
        sent,
      });
  }
};

const silences: Readonly<Record<Stage, (ms: number) => string>> = {
  unsent: (ms) => `The request did not leave whole: less than 1 KiB a second of it moved for ${ms} ms.`,
  sent: (ms) => `No answer came within ${ms} ms.`,
  answered: (ms) => `The answer broke off: less than 1 KiB a second of it came for ${ms} ms.`,
};

const about = ({ endpoint, promptId }: CallContext) => ({ endpoint, promptId });

const isTransportFailure = (cause: unknown): cause is TransportFailure => {
  const it = cause as Readonly<Record<string, unknown>> | null | undefined;
  return (
    typeof it?.['code'] === 'string' && typeof it['message'] === 'string' && typeof it['sent'] === 'boolean'
  );
};
