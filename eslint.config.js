import rxjsX from 'eslint-plugin-rxjs-x';
import { sharedLet } from './scripts/shared-let.mjs';
import tseslint from 'typescript-eslint';

/** Operators and creators of rxjs that take time, by how many arguments they have with a scheduler at least. */
const timed = [
  [2, 'delay|interval|debounceTime|throttleTime|auditTime|sampleTime|bufferTime|windowTime|timeout'],
  [2, 'timer'],
  [1, 'timestamp|timeInterval'],
];
const onInjectedTime = [
  ...timed.map(([least, names]) => `CallExpression[callee.name=/^(${names})$/][arguments.length<${least}]`),
  'CallExpression[callee.name="timer"][arguments.length=2] > :matches(Literal, [name=/Ms$/]):nth-child(2)',
  'CallExpression[callee.name=/^(repeat|retry)$/] Property[key.name="delay"]:matches([value.type="Literal"], [value.name=/Ms$/])',
].map((selector) => ({
  selector,
  message: "Take time from the Platform clock: timerOn or intervalOn, or a scheduler that is the caller's.",
}));

/** What a program takes from its platform. */
const ofPlatform = [
  { object: 'Date', property: 'now', message: 'Take time from the Platform clock.' },
  { object: 'Math', property: 'random', message: 'Take randomness from the Platform.' },
  { object: 'performance', property: 'now', message: 'Take time from the Platform clock.' },
];

/** Modules that a file imports by another way, or not at all. */
const restrictedImports = {
  paths: [
    { name: 'fp-ts', message: 'Import fp-ts/lib/<module>.js: the root import loads every module.' },
    { name: 'rxjs/webSocket', message: 'It ends the stream on a bad frame; see src/core/socket.' },
  ],
  patterns: [
    {
      regex: '^fp-ts/(?!lib/[A-Za-z]+\\.js$)',
      message: 'Only fp-ts/lib/<module>.js works in Node ESM and in browser bundles alike.',
    },
  ],
};

/** The package by its own name, its folder, or an alias of either. */
const byName = {
  regex: '^(promptwire|src)(/|$)|^[#~]|^@/',
  message: 'Files of src import each other by relative paths.',
};

/** Files whose functions may be longer or have more branches than others', ten at most, each with the reason. */
const exceptions = [
  {
    // When to connect reads in one place, and all of its parts share what one connection knows.
    files: ['src/core/socket/reconnect.ts'],
    rules: { 'max-lines-per-function': 'off' },
  },
  {
    // The stage of a submission: its request sets it, and the ends of its subscriber and of the client ask for it.
    files: ['src/client/jobs/accept.ts'],
    rules: { 'promptwire/shared-let': 'off' },
  },
  {
    // A page loads these, and objects or streams in their place would make it larger than its gate.
    files: [
      'src/client/jobs/{deaf-socket,job-context,kept-frames,lazy-durations,rate-limiter,stale-socket,submission-ids}.ts',
    ],
    rules: { 'promptwire/shared-let': 'off' },
  },
  {
    // One timer, which is set, cleared and asked for: nothing else stands in the file.
    files: ['src/server/gateway/streams/restartable-timer.ts'],
    rules: { 'promptwire/shared-let': 'off' },
  },
];

export default tseslint.config(
  {
    ignores: [
      'dist',
      'outputs',
      'temp',
      'coverage',
      'node_modules',
      'site/{.pages,dist,.vitepress/cache}',
      'src/core/protocol/generated',
      'src/server/queue/store/scripts/generated',
      'docs/*.svg',
      'docs/recipes/page/{react.tsx,angular.ts}',
    ],
  },
  ...tseslint.configs.strictTypeChecked,
  { ...rxjsX.configs.strict, files: ['**/*.ts', '**/*.mts', 'src/page/studio/**/*.tsx'] },
  {
    files: ['**/*.ts', '**/*.mts', 'src/page/studio/**/*.tsx'],
    languageOptions: {
      parserOptions: {
        projectService: { allowDefaultProject: ['*.js', '*.mjs'] },
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      // The compiler lets no file have an enum (`erasableSyntaxOnly`), and to look for them takes long.
      '@typescript-eslint/no-unsafe-enum-assignment': 'off',
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      // A handler of a server may return the promise of its answer's end, as that of the gateway does.
      '@typescript-eslint/no-misused-promises': [
        'error',
        { checksVoidReturn: { arguments: false, properties: false } },
      ],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unnecessary-condition': ['error', { allowConstantLoopConditions: true }],
      // Names without `$` are RxJS's own style and ours; a Subject may be held privately in a closure.
      'rxjs-x/finnish': 'off',
      // What was caught as unknown is passed on as it came.
      'rxjs-x/throw-error': ['error', { allowThrowingAny: false, allowThrowingUnknown: true }],
      'no-restricted-imports': ['error', restrictedImports],
    },
  },
  {
    files: ['src/**/*.{ts,tsx}'],
    // These entries take the client of the platform, which the package's own name leads to.
    ignores: ['src/{pool,promises}.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        { ...restrictedImports, patterns: [...restrictedImports.patterns, byName] },
      ],
    },
  },
  {
    // A function beyond these has several concepts: each gets a name. `npm run lint:longest` prints what comes next.
    files: ['src/**/*.{ts,tsx}'],
    rules: {
      'max-lines-per-function': ['error', { max: 100, skipBlankLines: true, skipComments: true }],
      complexity: ['error', { max: 15, variant: 'modified' }],
    },
  },
  {
    // What many closures change is the state of an object or a stream, and has its name.
    files: ['src/server/**/*.ts', 'src/page/remote/**/*.ts', 'src/client/**/*.ts'],
    plugins: { promptwire: { rules: { 'shared-let': sharedLet } } },
    rules: { 'promptwire/shared-let': 'error' },
  },
  ...exceptions,
  {
    files: ['src/**/*.{ts,tsx}'],
    ignores: ['src/core/platform/**', 'src/emulator/**', 'src/cli/**'],
    rules: {
      'no-restricted-syntax': ['error', ...onInjectedTime],
      'no-restricted-globals': [
        'error',
        { name: 'setTimeout', message: 'Take time from the Platform clock.' },
        { name: 'setInterval', message: 'Take time from the Platform clock.' },
        { name: 'encodeURIComponent', message: 'It throws for half of a surrogate pair: use pathPart.' },
      ],
      'no-restricted-properties': [
        'error',
        ...ofPlatform,
        {
          object: 'AbortSignal',
          property: 'timeout',
          message: 'Use abortAfter, which takes the Platform clock.',
        },
      ],
    },
  },
  {
    // It judges servers, which live by real time.
    files: ['src/testing/conformance/**'],
    rules: { 'no-restricted-properties': ['error', ...ofPlatform] },
  },
  {
    // An error that no view shows is a bug of the page, and its console tells it.
    files: ['src/page/studio/**/*.{ts,tsx}'],
    rules: { 'rxjs-x/no-ignored-error': 'off' },
  },
  { files: ['src/core/protocol/path-part.ts'], rules: { 'no-restricted-globals': 'off' } },
  {
    files: ['src/cli/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', ...onInjectedTime] },
  },
  {
    files: ['src/**/*.{ts,tsx}'],
    ignores: ['src/client/dialects/**', 'src/emulator/**', 'src/testing/service/**', 'src/cli/**'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...onInjectedTime,
        ...['BinaryExpression', 'SwitchCase', 'CallExpression'].map((where) => ({
          selector: `${where} > Literal[value=/^(cloud|local)$/]`,
          message: 'Ask the DialectStrategy: only src/client/dialects knows which dialect it is.',
        })),
        {
          selector: "BinaryExpression > :matches(Identifier[name='dialect'], [property.name='dialect'])",
          message: 'Ask the DialectStrategy: only src/client/dialects knows which dialect it is.',
        },
      ],
    },
  },
  {
    files: ['**/*.js', '**/*.mjs', '**/*.cjs'],
    ...tseslint.configs.disableTypeChecked,
  },
  {
    files: ['**/*.cjs'],
    rules: { '@typescript-eslint/no-require-imports': 'off' },
  },
  {
    files: ['test/**/*.ts', 'benchmarks/**/*.ts', 'docs/**/*.ts', 'scripts/**/*.ts'],
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'off',
      // Fakes stand for what a class makes; to look for them takes a tenth of the time.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      'rxjs-x/no-ignored-subscription': 'off',
      'rxjs-x/no-ignored-subscribe': 'off',
      // An error that no test expects is unhandled, and so fails the run.
      'rxjs-x/no-ignored-error': 'off',
      'rxjs-x/no-ignored-default-value': 'off',
    },
  },
);
