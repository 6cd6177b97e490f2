import { entries } from './scripts/entries.mjs';

// The layering, one way only: what a folder may import besides itself.
const rule = (name, from, to, comment) => ({ name, severity: 'error', comment, from: { path: from }, to });

const npm = (...names) => names.map((name) => `node_modules/${name}/`);

/** What a folder of src may import besides itself: other folders and modules of src, and packages. */
const folder = (path, others, packages, ...patterns) =>
  rule(path, `^src/${path}/`, {
    pathNot: [...[path, ...others].map((other) => `^src/${other}/`), ...npm(...packages), ...patterns],
  });

/** What runs beside or on top of a client, and has one given. */
const builtIn = ['^node:', '^[a-z_/0-9]+$'];
const core = (...names) => names.map((name) => `core/${name}`);
const pure = [...core('log', 'redaction', 'protocol', 'state', 'errors', 'endpoints', 'names'), 'workflow'];
const transports = core('platform', 'operators', 'interop', 'socket', 'http', 'files');
const publicModules = entries.flatMap(({ modules }) => modules).map((name) => `${name}\\.ts$`);

export default {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    folder('core/log', [], []),
    folder('core/redaction', [], []),
    folder('core/names', [], []),
    folder('core/protocol', core('redaction'), ['io-ts', 'fp-ts']),
    folder('core/state', core('protocol'), []),
    folder('core/errors', core('redaction', 'protocol', 'state'), []),
    folder('core/endpoints', core('protocol', 'state'), ['io-ts', 'fp-ts']),
    folder('core/events', core('protocol', 'state'), []),
    folder('core/estimate', core('protocol', 'state'), []),
    folder(
      'core/lost',
      core('redaction', 'protocol', 'state', 'errors', 'endpoints'),
      [],
      '^src/core/http/rest\\.ts$',
    ),
    folder('core/platform', core('errors'), ['rxjs', 'ws', 'undici'], ...builtIn),
    folder('core/operators', [...pure, ...core('estimate', 'files')], ['rxjs', 'fp-ts']),
    folder('core/interop', pure, ['rxjs', 'rxjs-for-await', 'fp-ts']),
    folder('core/socket', [...pure, ...core('platform', 'operators', 'interop')], ['rxjs', 'fp-ts']),
    folder(
      'core/http',
      [...pure, ...core('platform', 'operators', 'interop')],
      ['rxjs', 'fp-ts', 'hash-wasm'],
    ),
    folder('core/files', [...pure, ...core('platform', 'http', 'operators', 'interop')], ['rxjs', 'fp-ts']),
    folder('workflow', core('redaction', 'protocol', 'state', 'errors', 'names'), []),
    folder('generate', [...pure, ...core('platform', 'interop', 'files')], ['rxjs', 'fp-ts']),
    folder(
      'client/dialects',
      [...pure, ...core('lost', 'platform', 'socket', 'http')],
      ['rxjs', 'fp-ts', 'eventsource-parser'],
    ),
    folder(
      'client/jobs',
      [...pure, ...core('estimate', 'lost'), ...transports, 'client/dialects'],
      ['rxjs', 'fp-ts'],
    ),
    folder(
      'client/fp',
      [...core('errors', 'protocol', 'state', 'http', 'files', 'interop'), 'workflow'],
      ['fp-ts'],
      '^src/client/',
    ),
    folder(
      'client/promises',
      [...core('errors', 'protocol', 'state', 'platform', 'http', 'files', 'interop'), 'generate'],
      ['rxjs', 'fp-ts'],
      '^src/client/',
    ),
    folder(
      'client',
      [...pure, ...core('estimate', 'lost'), ...transports, 'generate'],
      ['rxjs', 'fp-ts', 'eventsource-parser'],
    ),
    rule('testing', '^src/testing/(?!conformance/)', {
      pathNot: [
        ...[...pure, ...transports, 'client'].map((other) => `^src/${other}/`),
        '^src/testing/(?!conformance/)',
        ...npm('rxjs', 'fp-ts', 'msw'),
      ],
    }),
    folder('server/joblog', core('protocol', 'state', 'events', 'lost', 'platform'), ['rxjs']),
    folder(
      'server/gateway',
      [...pure, ...core('events', 'lost', 'platform', 'interop', 'http', 'files'), 'client', 'server/joblog'],
      ['rxjs', 'fp-ts', 'io-ts', 'hash-wasm', 'hono', 'abstract-level', 'memory-level', 'classic-level'],
      ...builtIn,
    ),
    folder(
      'server/queue',
      [
        ...pure,
        ...core('events', 'lost', 'platform', 'interop', 'http', 'files'),
        'client',
        'generate',
        'server/joblog',
      ],
      ['rxjs', 'fp-ts', 'bullmq', 'ioredis', 'redis', '@opentelemetry/api'],
      ...builtIn,
    ),
    {
      name: 'servers-take-their-clients-as-values',
      severity: 'error',
      comment:
        'They run in every runtime: of a client they know the types, and of a pool its choice, which is pure, and how it asks a server.',
      from: { path: '^src/server/' },
      to: {
        path: '^src/(client/|(node|bun|browser)\\.ts$)',
        pathNot:
          '^src/client/pool/(assign|capability|failing|forgotten|ms-left|placement|run-times|work)\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'native-code-only-for-folders',
      severity: 'error',
      comment: 'A gateway without a folder runs where no native code does, and needs no package of it.',
      from: { path: '^src/(?!server/gateway/node/)' },
      to: { path: 'node_modules/classic-level/' },
    },
    folder(
      'page/remote',
      [
        ...core(
          'log',
          'protocol',
          'state',
          'errors',
          'events',
          'platform',
          'operators',
          'interop',
          'http',
          'endpoints',
        ),
        'generate',
        'workflow',
      ],
      ['rxjs'],
    ),
    folder(
      'page/react',
      [...core('protocol', 'state', 'errors', 'platform', 'operators', 'interop'), 'page/remote'],
      ['rxjs', 'react', '@types/react'],
    ),
    folder(
      'page/studio',
      [],
      [
        'rxjs',
        'react',
        '@types/react',
        'react-dom',
        '@types/react-dom',
        '@tanstack/react-virtual',
        '@dagrejs/dagre',
        'fflate',
      ],
      '^src/(remote|react|workflow|index)\\.ts$',
      // The examples alone: their entry makes templates of them, which weighs more.
      '^src/workflow/examples/workflows\\.ts$',
      // They are pure.
      '^src/cli/codegen/program\\.ts$',
      '^src/workflow/file-input\\.ts$',
      '^src/core/events/(apply-job-event|read-job-event)\\.ts$',
      '^src/core/protocol/json/exact-json\\.ts$',
    ),
    {
      name: 'the-studio-is-a-page',
      severity: 'error',
      comment: 'It runs jobs by a gateway: of the client it knows the types.',
      from: { path: '^src/page/studio/' },
      to: { path: '^src/index\\.ts$', dependencyTypesNot: ['type-only'] },
    },
    rule(
      'nobody-leans-on-the-studio',
      '^src/(?!page/studio/)',
      { path: '^src/page/studio/' },
      'It is a program of its own, bundled into files that the command serves.',
    ),
    folder(
      'server/mcp',
      [...pure, ...core('interop', 'files', 'platform'), 'page'],
      ['rxjs', '@modelcontextprotocol'],
      '^src/client/.+-types\\.ts$',
      '^node:stream$',
      '^stream$',
    ),
    rule(
      'conformance-stands-alone',
      '^src/(testing/conformance/|conformance\\.ts)',
      { path: '^src/(?!testing/conformance/)' },
      'The suite shares no code with what it judges, nor with the client: it speaks HTTP and the socket itself.',
    ),
    rule(
      'nobody-leans-on-the-conformance-suite',
      '^src/(?!testing/conformance/|conformance\\.ts|cli/)',
      { path: '^src/(testing/conformance/|conformance\\.ts)' },
      'Only the command and tests play it.',
    ),
    rule('codecs', '^src/codecs\\.ts$', { pathNot: ['^src/core/(protocol|endpoints)/'] }),
    rule(
      'the-queue-decides-without-the-world',
      '^src/server/queue/policy/',
      {
        pathNot: [
          '^src/server/queue/policy/',
          '^src/core/lost/(decide-match|submission-ids)\\.ts$',
          '^src/core/(protocol|state|errors|endpoints)/',
          '^src/client/dialects/dialect\\.ts$',
        ],
      },
      'What to do with a submission is decided by its record alone, so a simulator can play it.',
    ),
    rule(
      'platforms-are-chosen-by-the-entries',
      '^src/(?!core/platform/|node\\.ts|bun\\.ts|browser\\.ts|emulator/|cli/)',
      { path: '^src/core/platform/(node|browser|bun)' },
      'Everything else gets its platform as a value.',
    ),
    rule(
      'only-the-command-uses-the-test-double',
      '^src/(?!testing[-./]|conformance\\.ts|cli/)',
      { path: '^src/testing[-./]' },
      'A program does not carry what its tests need.',
    ),
    rule(
      'msw-only-in-its-entry',
      '^src/(?!testing/msw/|testing-msw\\.ts)',
      { path: 'node_modules/msw/' },
      'It is an optional peer: the test double works without it.',
    ),
    rule(
      'emulator-stands-alone',
      '^src/emulator[./]',
      { path: '^src/(?!emulator/)' },
      'The emulator shares no code with the client: one misreading of the protocol must not pass on both sides.',
    ),
    rule(
      'nobody-leans-on-the-emulator',
      '^src/(?!emulator[./]|cli/)',
      { path: '^src/emulator[./]' },
      'Only the command starts the emulator.',
    ),
    rule(
      'cli-uses-the-public-entries',
      '^src/cli/',
      { path: `^src/(?!${['cli/', ...publicModules].join('|')})` },
      'What the command needs, a user needs: it goes through the public entries.',
    ),
    rule(
      'node-only-where-it-belongs',
      '^src/(?!core/platform/node(/|\\.ts)|node\\.ts|bun\\.ts|server/gateway/node/|server/queue/|server/mcp/create-mcp\\.ts|testing/conformance/|emulator/|cli/)',
      { dependencyTypes: ['core'] },
      'Everything else also runs in a browser.',
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
};
