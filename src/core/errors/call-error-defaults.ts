import type { Retry, ServiceErrorTag } from './errors.js';

/** The texts and the retry class of an error that is made without its own. */
export interface ErrorDefaults {
  readonly message: string;
  readonly hint: string;
  readonly retry: Retry;
}

/** What a call of another interface than the service's can become as well: a page that makes calls to a gateway loads no other texts. */
export type CallErrorTag = Extract<
  ServiceErrorTag,
  | 'BadRequest'
  | 'Unauthorized'
  | 'InsufficientCredits'
  | 'Forbidden'
  | 'NotFound'
  | 'TooLarge'
  | 'HashMismatch'
  | 'QueueFull'
  | 'RateLimited'
  | 'ServerError'
  | 'UnexpectedStatus'
  | 'NotSupported'
  | 'Network'
  | 'Closed'
  | 'Decode'
  | 'OutcomeUnknown'
  | 'InvalidInputs'
  | 'InvalidConfig'
>;

/** The defaults of these tags (docs/protocol.md, chapter 3). */
export const callErrorDefaults: Readonly<Record<CallErrorTag, ErrorDefaults>> = {
  BadRequest: {
    message: 'The service refused the request.',
    retry: 'never',
    hint: 'Correct what the message and the node errors name, then send it again.',
  },
  Unauthorized: {
    message: 'The service does not accept the API key.',
    retry: 'never',
    hint: 'Check that the key is complete and not revoked, or create a new one.',
  },
  InsufficientCredits: {
    message: 'The account has no credits left.',
    retry: 'never',
    hint: 'Add credits to the account, then resume the client.',
  },
  Forbidden: {
    message: 'The key is valid but lacks the permission for this.',
    retry: 'never',
    hint: 'Check the plan, and that the job or file belongs to this account.',
  },
  NotFound: {
    message: 'The service has no such job, file or node.',
    retry: 'never',
    hint: 'Check the id or file name; a job has a record only once it has started, and the service may prune it later.',
  },
  TooLarge: {
    message: 'The request is larger than the service accepts.',
    retry: 'never',
    hint: 'Send a smaller file or workflow; upload images instead of embedding them.',
  },
  HashMismatch: {
    message: 'The bytes that arrived are not those that were sent.',
    retry: 'after',
    hint: 'Nothing was stored: upload the file again.',
  },
  QueueFull: {
    message: "The account's queue is full.",
    retry: 'after',
    hint: 'Wait until a job ends, or cancel a waiting one, then submit again.',
  },
  RateLimited: {
    message: 'The service asks for fewer requests.',
    retry: 'after',
    hint: 'Wait at least as long as the service asked before the next request.',
  },
  ServerError: {
    message: 'The service failed.',
    retry: 'after',
    hint: 'Try again in a moment; if it persists, report it to the operator of the service.',
  },
  UnexpectedStatus: {
    message: 'The service answered with a status that the interface does not define here.',
    retry: 'never',
    hint: 'Check that the base URL points at the service and not at another site or a proxy.',
  },
  NotSupported: {
    message: 'The service has no such route.',
    retry: 'never',
    hint: 'Use a client of an interface that has it.',
  },
  Network: {
    message: 'The network failed.',
    retry: 'after',
    hint: 'Check the connection and the address of the service, then try again.',
  },
  Closed: { message: 'The client is closed.', retry: 'never', hint: 'Create a new client.' },
  Decode: {
    message: 'The answer does not have the shape that the interface defines.',
    retry: 'never',
    hint: 'Check that the base URL points at the service and not at another site or a proxy; a newer service may differ.',
  },
  OutcomeUnknown: {
    message: 'The submission may or may not have been accepted.',
    retry: 'unknown outcome',
    hint: 'Check the queue and the candidates before you submit again: a second submission may cost twice. The command: promptwire queue, then promptwire follow ID.',
  },
  InvalidInputs: {
    message: 'The inputs are invalid.',
    retry: 'never',
    hint: 'Correct what the problems name.',
  },
  InvalidConfig: {
    message: 'An option is invalid.',
    retry: 'never',
    hint: 'Correct the option that the message names.',
  },
};
