import type { Retry, ServiceErrorTag } from './errors.js';

/** What an error says unless its maker knows better. */
export interface ErrorDefaults {
  readonly message: string;
  readonly hint: string;
  readonly retry: Retry;
}

/** The words of every tag (docs/protocol.md, chapter 3). */
export const errorDefaults: Readonly<Record<ServiceErrorTag, ErrorDefaults>> = {
  BadRequest: {
    message: 'The service refused the request.',
    retry: 'never',
    hint: 'Correct what the message and the node errors name, then send it again.',
  },
  Unauthorized: {
    message: 'The service does not accept the API key.',
    retry: 'never',
    hint: 'Check that the key is complete and not revoked; a lost key is replaced on the platform site.',
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
    message: 'The key is valid but may not do this.',
    retry: 'never',
    hint: 'Check the plan, and that the job or file belongs to this account.',
  },
  NotFound: {
    message: 'The service does not know it.',
    retry: 'never',
    hint: 'Check the id or file name; records exist only once a job has started and may be pruned later.',
  },
  TooLarge: {
    message: 'The request is larger than the service takes.',
    retry: 'never',
    hint: 'Send a smaller file or workflow; upload pictures instead of embedding them.',
  },
  QueueFull: {
    message: "The account's queue is full.",
    retry: 'after',
    hint: 'Wait until a job ends, or cancel one that waits, then submit again.',
  },
  RateLimited: {
    message: 'The service asks for fewer requests.',
    retry: 'after',
    hint: 'Wait before the next request, at least as long as the service asked.',
  },
  ServerError: {
    message: 'The service failed.',
    retry: 'after',
    hint: 'Try again in a moment; if it stays, report it to the operator of the service.',
  },
  UnexpectedStatus: {
    message: 'The service answered with a status that the interface does not name here.',
    retry: 'never',
    hint: 'Check that the base URL points at the service and not at another site or a proxy.',
  },
  ProtocolChanged: {
    message: 'A part of the interface is gone or answers in another shape.',
    retry: 'never',
    hint: 'Check the base URL and whether a newer version of promptwire exists.',
  },
  Network: {
    message: 'The network failed.',
    retry: 'after',
    hint: 'Check the connection and the address of the service, then try again.',
  },
  Timeout: {
    message: 'No answer came in time.',
    retry: 'after',
    hint: 'Try again, or allow more time with timeoutMs.',
  },
  Aborted: {
    message: 'The caller ended the operation.',
    retry: 'never',
    hint: 'Nothing to do: it was asked for.',
  },
  Closed: { message: 'The client is closed.', retry: 'never', hint: 'Create a new client.' },
  Draining: {
    message: 'The client is being drained: it takes no more submissions.',
    retry: 'never',
    hint: 'Nothing was submitted; submit it with another client.',
  },
  Decode: {
    message: 'The answer is not what the interface promises.',
    retry: 'never',
    hint: 'Check that the base URL points at the service; a proxy or a newer service may answer in another shape.',
  },
  OutcomeUnknown: {
    message: 'The submission may or may not have been accepted.',
    retry: 'unknown outcome',
    hint: 'Look at the queue and at the candidates before you submit again: a second submission may be paid twice.',
  },
  CancelNotApplied: {
    message: 'The job goes on although its cancellation was asked for.',
    retry: 'after',
    hint: 'Ask again while it runs; a job near its end may simply finish.',
  },
  DownloadFailed: {
    message: 'A file could not be fetched whole.',
    retry: 'after',
    hint: 'The job is over and its files stay on the service: download them again.',
  },
  UnsafeRedirect: {
    message: 'The service sent the download to an address that is not followed.',
    retry: 'never',
    hint: 'Ask the operator of the service; downloads go to https addresses of the class of the base URL only.',
  },
  FileSystem: {
    message: 'A file could not be read or written.',
    retry: 'never',
    hint: 'Check the path, its permissions and the free space.',
  },
  InvalidWorkflow: {
    message: 'The value is no workflow in API format.',
    retry: 'never',
    hint: 'Export the workflow in API format from the editor.',
  },
  UnknownNode: {
    message: 'The workflow has no such node.',
    retry: 'never',
    hint: 'Use one of the node ids of the workflow.',
  },
  InvalidConfig: {
    message: 'An option is not usable.',
    retry: 'never',
    hint: 'Correct the option that the message names.',
  },
  Overflow: {
    message: 'A consumer fell too far behind.',
    retry: 'never',
    hint: 'Read faster, raise the capacity, or let values be dropped.',
  },
  JobFailed: {
    message: 'The job failed.',
    retry: 'never',
    hint: 'Read the failure: it names the node and what it said.',
  },
  JobCancelled: {
    message: 'The job was cancelled.',
    retry: 'never',
    hint: 'Submit it again if that was not intended.',
  },
  OutputsIncomplete: {
    message: 'The job completed, but its record is not complete: files may be missing.',
    retry: 'after',
    hint: 'Take the outputs that the error carries, and follow the job again later for the rest.',
  },
};
