/** A kind of message that a caller may ask for: an event of a job's stream, and its last one by a name of its own. */
export type WebhookKind = 'job.submitted' | 'job.status' | 'job.output' | 'job.cancelRequested' | 'job.ended';

/** All kinds. */
export const webhookKinds: readonly WebhookKind[] = [
  'job.submitted',
  'job.status',
  'job.output',
  'job.cancelRequested',
  'job.ended',
];
