import { replace, drop, insertAfter, unwrap, type Mutant } from '../mutant.js';
import { operation, statement, value } from '../selectors.js';

/** Bugs of our own making: no test and no figure noticed them when they were planted. */
export const overlooked: readonly Mutant[] = [
  {
    id: 'A4',
    story: 'A submission waits a minute for a socket that was refused without a reason, not ten seconds.',
    in: 'socketWithinMs',
    change: replace(value(), '60_000'),
    caughtBy: { test: 'test/client.test.ts', name: 'A4' },
  },
  {
    id: 'C10b',
    story: 'A client shows the branch that was left out as the reason of a job that failed elsewhere.',
    in: 'isEndMessage',
    change: replace(operation('ExecutionBlocked'), 'data !== undefined'),
    caughtBy: { test: 'test/endpoints/history.test.ts', name: 'C10' },
  },
  {
    id: 'D3b',
    story: 'A client reads the texts of a socket as the one before it announced them, and loses them.',
    in: 'frameReader.begin',
    change: drop(statement('options', 'redact')),
    caughtBy: { test: 'test/socket/frame-source.test.ts', name: 'D3' },
  },
  {
    id: 'E1b',
    story: 'An unknown failure of the network is taken for one before anything left: two jobs.',
    in: 'failureOf.transport',
    change: replace(value('sent'), 'false'),
    caughtBy: { test: 'test/http/request-submission.test.ts', name: 'E1' },
  },
  {
    id: 'G7',
    story:
      'A part of another file is put behind what is there of this one, and the result is called verified.',
    in: 'partExtent',
    change: replace(operation('etag'), 'false'),
    caughtBy: { test: 'test/files/resume.test.ts', name: 'G7 never splices' },
  },
  {
    id: 'G14b',
    story: 'A name that is cut behind a dot ends in it, which some systems drop: it meets another file.',
    in: 'shorten',
    change: unwrap('withoutTail'),
    caughtBy: { test: 'test/files/safe-file-name.test.ts', name: 'G14' },
  },
  {
    id: 'H1b',
    story: 'The key that replaced another one is shown in errors.',
    in: 'clientCredentials.setKey',
    change: drop(statement('addOwnKey')),
    caughtBy: { test: 'test/properties/secrets.test.ts', name: 'H1' },
  },
  {
    id: 'H3',
    story: 'A key with an escape sequence in the middle stands whole in a sample, once that is taken out.',
    in: 'sampleOf',
    change: unwrap('redact', 'withoutControls'),
    caughtBy: { test: 'test/redaction/sample-of.test.ts', name: 'H3' },
  },
  {
    id: 'H9',
    story: 'A download that goes on where it broke off takes a cookie along to the storage.',
    in: 'rangeOf',
    change: insertAfter(value('if-range'), ", cookie: 'session=1'"),
    caughtBy: { test: 'test/files/resume.test.ts', name: 'H9' },
  },
  {
    id: 'I-10b',
    story: 'Text that waits for its job takes twice the memory that is set for it.',
    in: 'sizeOf',
    change: replace(operation('length', '2'), 'data.length'),
    caughtBy: { test: 'test/socket/early-messages.test.ts', name: 'I-10' },
  },
  {
    id: 'J4',
    story: 'A power cut after the submission leaves no record of it, and the next run submits again.',
    in: 'writeDurably',
    change: drop(statement('sync')),
    caughtBy: { test: 'test/cli/job-key.test.ts', name: 'J4' },
  },
  {
    id: 'J7',
    story: 'A service that does not answer in time ends a script as if it could not be reached.',
    in: 'byTag',
    change: replace(value('Timeout'), "'network'"),
    caughtBy: { test: 'test/cli/exit-code.test.ts', name: 'J7' },
  },
  {
    id: 'J7b',
    story: 'Credits that end while files are fetched end a script as a file that could not be fetched.',
    in: 'exitOfError',
    change: replace(operation('name', '!==', 'billing'), 'true'),
    caughtBy: { test: 'test/cli/exit-code.test.ts', name: 'J7' },
  },
];
