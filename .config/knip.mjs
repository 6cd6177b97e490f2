import { modules } from '../scripts/entries.mjs';

export default {
  entry: [
    ...modules.map((name) => `src/${name}.ts`),
    'src/page/studio/main.tsx',
    'benchmarks/children/*.ts',
    'benchmarks/compare/{run,child}.ts',
    'benchmarks/compare/pools/child.ts',
    'docs/recipes/*.ts',
    '{.ci,scripts}/**/*.{ts,mjs}',
    'docs/marbles/make.ts',
    'test/gateway/node/folder-child.ts',
    'test/platform/secret-child.ts',
    'test/integration/programs/*.ts',
    'test/mutants/{program,run-tests}.ts',
    'test/mutation/{run,player}.ts',
    'test/outside/{pages,programs}/*.ts',
    'test/scoreboard/run-range.ts',
    'test/scoreboard/planted/*.ts',
    'test/scoreboard/gateway/turn-watch.ts',
    'test/types/*.ts',
    'test/remote/contract-types.ts',
  ],
  project: ['src/**/*.{ts,tsx}', 'test/**/*.ts', 'benchmarks/**/*.ts', '{.ci,scripts}/**/*.{ts,mjs}'],
  ignoreExportsUsedInFile: true,
  ignoreBinaries: ['ffmpeg', 'script'],
  // Bundled in place of the module of Node.js, for where there is none (scripts/bundled-packages.mjs), in place of React
  // (scripts/studio.mjs), and packages of the project in site.
  ignoreDependencies: [
    'events',
    'preact',
    'vitepress',
    'sentence-splitter',
    /^(?:@textlint\/.*|textlint.*)$/u,
  ],
};
