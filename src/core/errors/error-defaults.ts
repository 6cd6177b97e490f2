import { callErrorDefaults, type ErrorDefaults } from './call-error-defaults.js';
import type { ServiceErrorTag } from './errors.js';

/** The defaults of every tag (docs/protocol.md, chapter 3). */
export const errorDefaults: Readonly<Record<ServiceErrorTag, ErrorDefaults>> = {
  ...callErrorDefaults,
  SubscriptionInactive: {
    message: 'The account has no active subscription for this.',
    retry: 'never',
    hint: 'Activate or upgrade the plan, then resume the client.',
  },
  ProtocolChanged: {
    message: 'A route of the interface is gone or answers in another shape.',
    retry: 'never',
    hint: 'Check the base URL and whether a newer version of promptwire exists.',
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
  Draining: {
    message: 'The client is draining and accepts no more submissions.',
    retry: 'never',
    hint: 'Nothing was submitted; submit the workflow with another client.',
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
    hint: 'Convert a file of the editor by `toApiWorkflow` of promptwire/workflow, or by `promptwire convert`.',
  },
  UnknownNode: {
    message: 'The workflow has no such node.',
    retry: 'never',
    hint: 'Name a node by its title, its class or its id.',
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
  InvalidRecording: {
    message: "The recording can't be read.",
    retry: 'never',
    hint: 'Record it again.',
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
    hint: 'Use the outputs in the error, and follow the job again later for the rest; `warnings` of its last state may say why.',
  },
};
