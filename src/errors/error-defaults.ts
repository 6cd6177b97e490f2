import type { Retry, ServiceErrorTag } from './errors.js';

/** The texts and the retry class of an error that is made without its own. */
export interface ErrorDefaults {
  readonly message: string;
  readonly hint: string;
  readonly retry: Retry;
}

/** The defaults of every tag (docs/protocol.md, chapter 3). */
export const errorDefaults: Readonly<Record<ServiceErrorTag, ErrorDefaults>> = {
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
  SubscriptionInactive: {
    message: 'The account has no active subscription for this.',
    retry: 'never',
    hint: 'Activate or upgrade the plan, then resume the client.',
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
  ProtocolChanged: {
    message: 'A route of the interface is gone or answers in another shape.',
    retry: 'never',
    hint: 'Check the base URL and whether a newer version of promptwire exists.',
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
  Timeout: {
    message: 'The service did not answer in time.',
    retry: 'after',
    hint: 'Try again, or allow more time with timeoutMs.',
  },
  Aborted: {
    message: 'The caller aborted the operation.',
    retry: 'never',
    hint: 'No action is needed.',
  },
  Closed: { message: 'The client is closed.', retry: 'never', hint: 'Create a new client.' },
  Draining: {
    message: 'The client is draining and accepts no more submissions.',
    retry: 'never',
    hint: 'Nothing was submitted; submit the workflow with another client.',
  },
  Decode: {
    message: 'The answer does not have the shape that the interface defines.',
    retry: 'never',
    hint: 'Check that the base URL points at the service and not at another site or a proxy; a newer service may differ.',
  },
  OutcomeUnknown: {
    message: 'The submission may or may not have been accepted.',
    retry: 'unknown outcome',
    hint: 'Check the queue and the candidates before you submit again: a second submission may cost twice.',
  },
  CancelNotApplied: {
    message: 'The job goes on although its cancellation was requested.',
    retry: 'after',
    hint: 'Cancel again while the job runs; a job near its end may simply finish.',
  },
  DownloadFailed: {
    message: 'A file could not be downloaded completely.',
    retry: 'after',
    hint: 'The job is over and its files stay on the service: download them again.',
  },
  UnsafeRedirect: {
    message: 'The service redirected the download to an address that the client does not follow.',
    retry: 'never',
    hint: 'Ask the operator of the service; downloads use only https addresses of the same kind (public or private) as the base URL.',
  },
  FileSystem: {
    message: 'A file could not be read or written.',
    retry: 'never',
    hint: 'Check the path, its permissions and the free space.',
  },
  InvalidWorkflow: {
    message: 'The value is not a workflow in API format.',
    retry: 'never',
    hint: 'Export the workflow in API format from the editor.',
  },
  UnknownNode: {
    message: 'The workflow has no such node.',
    retry: 'never',
    hint: 'Use one of the node ids of the workflow.',
  },
  AmbiguousNode: {
    message: 'The workflow has several such nodes.',
    retry: 'never',
    hint: 'Use one of the node ids of the workflow.',
  },
  UnknownInput: {
    message: 'The node has no such input.',
    retry: 'never',
    hint: 'Use one of the inputs of the node.',
  },
  InvalidInputs: {
    message: 'The inputs are invalid.',
    retry: 'never',
    hint: 'Correct what the problems name.',
  },
  InvalidRecording: {
    message: "The recording can't be read.",
    retry: 'never',
    hint: 'Record it again.',
  },
  InvalidConfig: {
    message: 'An option is invalid.',
    retry: 'never',
    hint: 'Correct the option that the message names.',
  },
  Overflow: {
    message: 'A consumer fell too far behind.',
    retry: 'never',
    hint: 'Read faster, raise the capacity, or choose an overflow policy that drops values.',
  },
  Defect: {
    message: 'A function that was given to the stream threw an error.',
    retry: 'never',
    hint: 'Correct that function: `cause` is what it threw.',
  },
  Empty: {
    message: 'The stream ended without a value.',
    retry: 'never',
    hint: 'Give it a default with defaultIfEmpty.',
  },
  JobFailed: {
    message: 'The job failed.',
    retry: 'never',
    hint: 'Read `failure`: it names the node and its exception.',
  },
  JobCancelled: {
    message: 'The job was cancelled.',
    retry: 'never',
    hint: 'Submit the workflow again if that was not intended.',
  },
  OutputsIncomplete: {
    message: 'The job completed, but its record is incomplete: files may be missing.',
    retry: 'after',
    hint: 'Use the outputs in the error, and follow the job again later for the rest.',
  },
};
