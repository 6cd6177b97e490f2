import type { Retry, ServiceErrorTag } from './errors.js';

/** What an error says unless its maker knows better. */
export interface ErrorDefaults {
  readonly message: string;
  readonly hint: string;
  readonly retry: Retry;
}

const row = (message: string, retry: Retry, hint: string): ErrorDefaults => ({ message, hint, retry });

/** The words of every tag (docs/protocol.md, chapter 3). */
export const errorDefaults: Readonly<Record<ServiceErrorTag, ErrorDefaults>> = {
  BadRequest: row(
    'The service refused the request.',
    'never',
    'Correct what the message and the node errors name, then send it again.',
  ),
  Unauthorized: row(
    'The service does not accept the API key.',
    'never',
    'Check that the key is complete and not revoked; a lost key is replaced on the platform site.',
  ),
  InsufficientCredits: row(
    'The account has no credits left.',
    'never',
    'Add credits to the account, then resume the client.',
  ),
  SubscriptionInactive: row(
    'The account has no active subscription for this.',
    'never',
    'Activate or upgrade the plan, then resume the client.',
  ),
  Forbidden: row(
    'The key is valid but may not do this.',
    'never',
    'Check the plan, and that the job or file belongs to this account.',
  ),
  NotFound: row(
    'The service does not know it.',
    'never',
    'Check the id or file name; records exist only once a job has started and may be pruned later.',
  ),
  TooLarge: row(
    'The request is larger than the service takes.',
    'never',
    'Send a smaller file or workflow; upload pictures instead of embedding them.',
  ),
  QueueFull: row(
    "The account's queue is full.",
    'after',
    'Wait until a job ends, or cancel one that waits, then submit again.',
  ),
  RateLimited: row(
    'The service asks for fewer requests.',
    'after',
    'Wait before the next request, at least as long as the service asked.',
  ),
  ServerError: row(
    'The service failed.',
    'after',
    'Try again in a moment; if it stays, report it to the operator of the service.',
  ),
  UnexpectedStatus: row(
    'The service answered with a status that the interface does not name here.',
    'never',
    'Check that the base URL points at the service and not at another site or a proxy.',
  ),
  ProtocolChanged: row(
    'A part of the interface is gone or answers in another shape.',
    'never',
    'Check the base URL and whether a newer version of promptwire exists.',
  ),
  Network: row(
    'The network failed.',
    'after',
    'Check the connection and the address of the service, then try again.',
  ),
  Timeout: row('No answer came in time.', 'after', 'Try again, or allow more time with timeoutMs.'),
  Aborted: row('The caller ended the operation.', 'never', 'Nothing to do: it was asked for.'),
  Closed: row('The client is closed.', 'never', 'Create a new client.'),
  Decode: row(
    'The answer is not what the interface promises.',
    'never',
    'Check that the base URL points at the service; a proxy or a newer service may answer in another shape.',
  ),
  OutcomeUnknown: row(
    'The submission may or may not have been accepted.',
    'unknown outcome',
    'Look at the queue and at the candidates before you submit again: a second submission may be paid twice.',
  ),
  CancelNotApplied: row(
    'The job goes on although its cancellation was asked for.',
    'after',
    'Ask again while it runs; a job near its end may simply finish.',
  ),
  DownloadFailed: row(
    'A file could not be fetched whole.',
    'after',
    'The job is over and its files stay on the service: download them again.',
  ),
  UnsafeRedirect: row(
    'The service sent the download to an address that is not followed.',
    'never',
    'Ask the operator of the service; downloads go to https addresses of the class of the base URL only.',
  ),
  FileSystem: row(
    'A file could not be read or written.',
    'never',
    'Check the path, its permissions and the free space.',
  ),
  InvalidWorkflow: row(
    'The value is no workflow in API format.',
    'never',
    'Export the workflow in API format from the editor.',
  ),
  UnknownNode: row('The workflow has no such node.', 'never', 'Use one of the node ids of the workflow.'),
  InvalidConfig: row('An option is not usable.', 'never', 'Correct the option that the message names.'),
  Overflow: row(
    'A consumer fell too far behind.',
    'never',
    'Read faster, raise the capacity, or let values be dropped.',
  ),
  JobFailed: row('The job failed.', 'never', 'Read the failure: it names the node and what it said.'),
  JobCancelled: row('The job was cancelled.', 'never', 'Submit it again if that was not intended.'),
};
