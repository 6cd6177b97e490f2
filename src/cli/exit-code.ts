/** Every kind of end of the command: its code and what it means; docs/cli.md has the same table. */
export const exitCodes = {
  done: { code: 0, meaning: 'Done' },
  unexpected: {
    code: 1,
    meaning: 'Something that promptwire did not expect: an answer it cannot read, or a fault of its own',
  },
  usage: {
    code: 2,
    meaning: 'The command line, a setting or a file named there is not usable; nothing was sent',
  },
  auth: { code: 3, meaning: 'The key is missing, unknown, or may not do this' },
  billing: { code: 4, meaning: 'No credits, or no active subscription' },
  invalidWorkflow: { code: 5, meaning: 'The workflow is not in API format, or the service refused it' },
  failed: { code: 6, meaning: 'The job failed' },
  cancelled: { code: 7, meaning: 'The job was cancelled' },
  outcomeUnknown: {
    code: 8,
    meaning: 'The submission may or may not have been accepted: look at the queue before you repeat it',
  },
  untraceable: { code: 9, meaning: 'The service knows no such job, file or node' },
  download: { code: 10, meaning: 'The job completed, but a file could not be fetched or written' },
  timeout: {
    code: 11,
    meaning: '`--timeout` passed, or the service did not answer in time; a submitted job goes on',
  },
  network: { code: 12, meaning: 'The service could not be reached' },
  service: {
    code: 13,
    meaning: 'The service refuses for now: queue full, too many requests, too large, or a failure of its own',
  },
  goesOn: {
    code: 14,
    meaning: 'The job goes on: it has no outputs yet, or its cancellation did not take effect',
  },
  incomplete: {
    code: 15,
    meaning: 'The job completed, but its record is not complete: files may be missing',
  },
  over: { code: 16, meaning: 'The job that `cancel` names was over before' },
  SIGHUP: { code: 129, meaning: 'Stopped by SIGHUP; a submitted job goes on' },
  SIGINT: {
    code: 130,
    meaning: 'Stopped by Ctrl-C; a submitted job goes on, unless `--on-interrupt cancel` asked for its end',
  },
  pipe: { code: 141, meaning: 'The reader of standard output went away; a submitted job goes on' },
  SIGTERM: { code: 143, meaning: 'Stopped by SIGTERM; a submitted job goes on' },
} as const satisfies Readonly<Record<string, { readonly code: number; readonly meaning: string }>>;

/** The name of one kind of end, as in the `end` line of `--json`. */
export type ExitName = keyof typeof exitCodes;
