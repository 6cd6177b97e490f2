/** Modules that are judged by the same tests. */
export interface Group {
  /** Folders or files, from the root of the repository; a folder's new modules belong to it at once. */
  readonly modules: readonly string[];
  /** Modules among them that decide nothing that this is about. */
  readonly except?: readonly string[];
  /** Folders or files of tests; of these only those play that load the module. */
  readonly tests: readonly string[];
}

/** The modules that decide ends, outputs, routing, retries, redaction and file names. */
export const groups: readonly Group[] = [
  {
    modules: ['src/protocol/names'],
    tests: ['test/protocol/names', 'test/properties/safe-file-name.test.ts'],
  },
  {
    modules: ['src/protocol/outputs'],
    except: ['src/protocol/outputs/media-type.ts'],
    tests: ['test/protocol/outputs', 'test/protocol/state'],
  },
  {
    modules: ['src/protocol/state'],
    tests: ['test/protocol/state'],
  },
  {
    modules: ['src/protocol/errors'],
    except: ['src/protocol/errors/error-defaults.ts'],
    tests: [
      'test/protocol/errors',
      'test/properties/secrets.test.ts',
      'test/properties/hostile-text.test.ts',
    ],
  },
  {
    modules: [
      'src/protocol/frames/owner-of.ts',
      'src/protocol/frames/running-prompts.ts',
      'src/protocol/frames/ends-job.ts',
      'src/protocol/frames/is-end-mark.ts',
      'src/protocol/frames/sole-id.ts',
    ],
    tests: [
      'test/protocol/frames',
      'test/operators/for-prompt.test.ts',
      'test/properties/for-prompt.test.ts',
    ],
  },
  { modules: ['src/socket/route.ts'], tests: ['test/socket'] },
  {
    modules: ['src/http/retry.ts', 'src/http/failure.ts', 'src/http/stop.ts', 'src/http/refusal.ts'],
    tests: [
      'test/http/retry.test.ts',
      'test/http/stop.test.ts',
      'test/http/request.test.ts',
      'test/http/request-submission.test.ts',
      'test/http/create-rest.test.ts',
    ],
  },
  {
    modules: [
      'src/job/confirm-end.ts',
      'src/job/job-end.ts',
      'src/job/inquire.ts',
      'src/job/look.ts',
      'src/job/occasions.ts',
      'src/job/followed-job.ts',
    ],
    tests: ['test/job'],
  },
];
