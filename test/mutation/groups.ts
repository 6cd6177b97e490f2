/** Modules that are judged by the same tests. */
export interface Group {
  /** Folders or files, from the root of the repository; a folder's new modules belong to it at once. */
  readonly modules: readonly string[];
  /** Folders or files of tests; of these only those play that load the module. */
  readonly tests: readonly string[];
  /** Modules among them that decide nothing that this is about, and tests that are too slow to be played so often. */
  readonly except?: readonly string[];
}

/** The modules that decide ends, outputs, routing, retries, redaction and file names. */
export const groups: readonly Group[] = [
  {
    modules: ['src/protocol/names'],
    tests: ['test/protocol/names', 'test/properties/safe-file-name.test.ts'],
  },
  {
    modules: ['src/protocol/outputs'],
    tests: ['test/protocol/outputs', 'test/protocol/state'],
    except: ['src/protocol/outputs/media-type.ts'],
  },
  { modules: ['src/protocol/state'], tests: ['test/protocol/state'] },
  {
    modules: ['src/protocol/errors'],
    tests: ['test/protocol/errors'],
    except: [
      'src/protocol/errors/error-defaults.ts',
      'src/protocol/errors/errors.ts',
      'test/protocol/errors/redact-growth.test.ts',
    ],
  },
  {
    modules: [
      'src/protocol/frames/owner-of.ts',
      'src/protocol/frames/running-prompts.ts',
      'src/protocol/frames/ends-job.ts',
      'src/protocol/frames/is-end-mark.ts',
      'src/protocol/frames/sole-id.ts',
      'src/socket/route.ts',
    ],
    tests: ['test/protocol/frames', 'test/socket', 'test/operators/for-prompt.test.ts'],
  },
  {
    modules: [
      'src/http/retry.ts',
      'src/http/failure.ts',
      'src/http/circuit-breaker.ts',
      'src/http/refusal-kind.ts',
      'src/http/refusal.ts',
      'src/http/part-extent.ts',
      'src/http/file-extent.ts',
      'src/http/redirect.ts',
      'src/http/secrets.ts',
    ],
    tests: [
      'test/http/retry.test.ts',
      'test/http/circuit-breaker.test.ts',
      'test/http/request.test.ts',
      'test/http/request-submission.test.ts',
      'test/http/redirect.test.ts',
      'test/http/resume.test.ts',
      'test/http/view.test.ts',
    ],
  },
  {
    modules: ['src/job'],
    tests: ['test/job'],
    except: [
      // What is kept and for how long, and how a job begins: measured elsewhere.
      'src/job/accept.ts',
      'src/job/accepted-ids.ts',
      'src/job/agenda.ts',
      'src/job/budget.ts',
      'src/job/copy-json.ts',
      'src/job/frame-bytes.ts',
      'src/job/frame-memory.ts',
      'src/job/kept-frames.ts',
      'src/job/known-jobs.ts',
      'src/job/lists-by-key.ts',
      'src/job/open-work.ts',
      'src/job/prepare-workflow.ts',
      'src/job/pull-map.ts',
      'src/job/recent-submissions.ts',
      'src/job/run-all.ts',
      'src/job/run.ts',
      'src/job/job-handle.ts',
      'src/job/existing-job.ts',
      'src/job/start-job.ts',
      'src/job/submit-raw.ts',
      'src/job/thin-out.ts',
      'src/job/tracker.ts',
      'test/job/frame-memory.test.ts',
      'test/job/many-jobs.test.ts',
      'test/job/thin-out.test.ts',
    ],
  },
];
