import type { Patch } from '../patch.js';

/** Groups G and H: files and secrets. */
export const files: readonly Patch[] = [
  {
    id: 'G1',
    story: 'HTTP clients that follow the redirect of a download take the key along to the storage.',
    file: 'src/http/view.ts',
    find: 'home: urls.origin,',
    replace: `home: urls.origin,
        ...{ platform: { ...platform, request: (asked: Parameters<typeof platform.request>[0]) =>
          platform.request({ ...asked, headers: { ...asked.headers, 'x-api-key': connection.key() ?? '' } }) } },`,
    caughtBy: { test: 'test/http/view.test.ts', name: 'G1' },
  },
  {
    id: 'G3',
    story: 'A download on a build machine is sent to the metadata address of its cloud, and goes there.',
    file: 'src/http/signed-file.ts',
    find: "if (addressClass === 'forbidden' || (addressClass !== 'public' && !own)) {",
    replace: 'if (addressClass === homeClass && !own && addressClass !== "public") {',
    caughtBy: { test: 'test/http/view.test.ts', name: 'G3' },
  },
  {
    id: 'G9',
    story: 'A body that ends early without a length is taken for the whole file by every fetch.',
    file: 'src/files/save-file.ts',
    find: 'verified: size !== undefined',
    replace: 'verified: true',
    caughtBy: { test: 'test/files/resume.test.ts', name: 'G9' },
  },
  {
    id: 'G10',
    story: 'An error page of the storage, sent with 200, is saved as a picture.',
    file: 'src/files/save-file.ts',
    find: 'const problem = contentProblem(file.filename, draft.head());',
    replace: 'const problem = undefined as string | undefined;',
    caughtBy: { test: 'test/files/resume.test.ts', name: 'G10' },
  },
  {
    id: 'G14',
    story:
      'Sample code and integrations join the name from the service to their folder, and leave it by "..".',
    file: 'src/files/name-files.ts',
    find: 'name: uniqueName(safeFileName(name(file, job, index)), taken),',
    replace: 'name: uniqueName(name(file, job, index), taken),',
    caughtBy: { test: 'test/files/download-names.test.ts', name: 'G14' },
  },
  {
    id: 'G15',
    story: 'Of two nodes that give their files one name, only the last one’s is left.',
    file: 'src/files/name-files.ts',
    find: "name.normalize('NFKC').toLowerCase().toUpperCase().normalize('NFKC')",
    replace: 'name',
    caughtBy: { test: 'test/files/download-names.test.ts', name: 'G15' },
  },
  {
    id: 'H1',
    story: 'Runtimes quote the address, token and all, in their errors, and clients pass those on.',
    file: 'src/http/failure.ts',
    find: 'sampleOf(text, 500, context.redact)',
    replace: 'text',
    caughtBy: { test: 'test/properties/secrets.test.ts', name: 'H1' },
  },
];
