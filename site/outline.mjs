// The order in which the site shows its pages: what it is, how to run it, tasks, reference, and the reasons. A page that no group
// names goes to the group of its folder.

/** Groups of the sidebar; a page is its path below docs without `.md`. */
export const outline = [
  { text: 'What it is', pages: ['index', 'guide/index', 'guide/entries', 'guide/migration'] },
  { text: 'Run it', pages: ['guide/first-steps', 'guide/studio', 'guide/command'] },
  {
    text: 'Your own engine or account',
    pages: ['guide/local', 'guide/api-v2', 'guide/conformance', 'guide/platform', 'guide/logging'],
  },
  {
    text: 'Jobs and streams',
    pages: [
      ...['guide/jobs', 'guide/promises', 'guide/operators', 'guide/choose-an-operator', 'guide/frames'],
      ...['guide/iteration', 'guide/files', 'guide/errors', 'guide/fp', 'guide/codecs'],
    ],
  },
  {
    text: 'Workflows',
    pages: ['guide/workflows', 'guide/workflows-in-code', 'guide/forms', 'guide/validation'],
  },
  { text: 'Pages', pages: ['guide/browser', 'guide/remote', 'guide/react'] },
  {
    text: 'Servers and many jobs',
    pages: [
      ...['guide/gateway', 'guide/other-languages', 'guide/webhooks', 'guide/agents'],
      ...['guide/pool', 'guide/many-machines'],
    ],
  },
  { text: 'Tests', pages: ['guide/test-your-app', 'guide/testing'] },
  { text: 'More tasks', folder: 'guide/', pages: [] },
  { text: 'Runtimes and frameworks', folder: 'runtimes/', pages: ['guide/runtimes'] },
  { text: 'Reference', pages: ['cli', 'cli-output', 'protocol', 'stores', 'errors/index', 'assistant'] },
  { text: 'Modules', folder: 'api/', pages: ['api/index'] },
  { text: 'Errors', folder: 'errors/', pages: [] },
  { text: 'How it works', folder: 'how-it-works/', pages: ['guide/connection'] },
  {
    text: 'Reasons and measurements',
    folder: '',
    pages: ['decisions', 'performance', 'scoreboard', 'failure-modes', 'sdk-scenarios'],
  },
];

/** The groups with all of these pages, each once; groups without a page are left out. */
export const groupsOf = (paths) => {
  const named = new Set(outline.flatMap(({ pages }) => pages));
  const folders = outline.map(({ folder }) => folder).filter((folder) => folder !== undefined);
  const folderOf = (path) =>
    folders.filter((folder) => path.startsWith(folder)).sort((a, b) => b.length - a.length)[0];
  return outline
    .map(({ text, folder, pages }) => ({
      text,
      pages: [
        ...pages.filter((path) => paths.includes(path)),
        ...paths.filter((path) => !named.has(path) && folder !== undefined && folderOf(path) === folder),
      ],
    }))
    .filter(({ pages }) => pages.length > 0);
};
