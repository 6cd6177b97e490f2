import { drop, replace, rewrite, unwrap, type Mutant } from '../mutant.js';
import { body, branch, call, condition, value } from '../selectors.js';

/** Groups G and H: files and secrets. */
export const files: readonly Mutant[] = [
  {
    id: 'G1',
    story: 'HTTP clients that follow the redirect of a download take the key along to the storage.',
    in: 'fetchFile',
    change: rewrite(
      value('signed'),
      (
        options,
      ) => `{ ...${options}, platform: { ...platform, request: (asked: Parameters<typeof platform.request>[0]) =>
        platform.request({ ...asked, headers: { ...asked.headers, 'x-api-key': connection.key() ?? '' } }) } }`,
    ),
    caughtBy: { test: 'test/http/view.test.ts', name: 'G1' },
  },
  {
    id: 'G3',
    story: 'A download on a build machine is sent to the metadata address of its cloud, and goes there.',
    in: 'readTarget',
    change: replace(
      condition('addressClass', 'forbidden'),
      "addressClass === homeClass && !own && addressClass !== 'public'",
    ),
    caughtBy: { test: 'test/http/view.test.ts', name: 'G3' },
  },
  {
    id: 'G9',
    story: 'A body that ends early without a length is taken for the whole file by every fetch.',
    in: 'attempt',
    change: replace(value('verified'), 'true'),
    caughtBy: { test: 'test/files/resume.test.ts', name: 'G9' },
  },
  {
    id: 'G10',
    story: 'An error page of the storage, sent with 200, is saved as a picture.',
    in: 'attempt',
    change: replace(value('problem'), 'undefined as string | undefined'),
    caughtBy: { test: 'test/files/resume.test.ts', name: 'G10' },
  },
  {
    id: 'G14',
    story:
      'Sample code and integrations join the name from the service to their folder, and leave it by "..".',
    in: 'namedFiles',
    change: unwrap('safeFileName'),
    caughtBy: { test: 'test/files/download-names.test.ts', name: 'G14' },
  },
  {
    id: 'G15',
    story: 'Of two nodes that give their files one name, only the last one’s is left.',
    in: 'collisionKey',
    change: replace(body, 'name'),
    caughtBy: { test: 'test/files/download-names.test.ts', name: 'G15' },
  },
  {
    id: 'G21',
    story: 'A client fails a download at the first 404, though the storage has the file a second later.',
    in: 'afterRefusal',
    change: drop(branch('404', 'isLate')),
    caughtBy: { test: 'test/http/view.test.ts', name: 'G21' },
  },
  {
    id: 'G22',
    story: 'A client asks for a file that is nowhere for as long as it runs.',
    in: 'afterRefusal',
    change: replace(condition('missed'), 'true'),
    caughtBy: { test: 'test/http/view.test.ts', name: 'G22' },
  },
  {
    id: 'H1',
    story: 'Runtimes quote the address, token and all, in their errors, and clients pass those on.',
    in: 'failureOf',
    change: replace(call('sampleOf'), 'text'),
    caughtBy: { test: 'test/properties/secrets.test.ts', name: 'H1' },
  },
];
