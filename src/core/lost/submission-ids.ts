/**
 * What a service makes of the id of a submission (`SubmitOptions.submissionId`): `jobs`, it becomes the id of the job; `unproven`, so it
 * may be, and no answer has shown it yet; `keys`, it is an idempotency key, of which the service takes one submission; `none`, it has no
 * place for it. With `unproven` and `none` the service returns what was sent as `extra_data`.
 */
export type SubmissionIds = 'jobs' | 'unproven' | 'keys' | 'none';
