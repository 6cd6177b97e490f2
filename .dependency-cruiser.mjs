import { entries } from './scripts/entries.mjs';

// The layering, one way only. Pure rooms first, then what talks to the world, then jobs, the client, the entries, the command.
const rule = (name, from, to, comment) => ({ name, severity: 'error', comment, from: { path: from }, to });

const npm = (...names) => names.map((name) => `node_modules/${name}/`);

/** What a room may import besides itself: other rooms of src, and packages. */
const room = (name, rooms, packages, ...others) =>
  rule(name, `^src/${name}/`, {
    pathNot: [`^src/(${[name, ...rooms].join('|')})/`, ...npm(...packages), ...others],
  });

const pure = ['redaction', 'protocol', 'state', 'errors', 'endpoints', 'workflow'];
const publicModules = entries.flatMap(({ modules }) => modules).map((name) => `${name}\\.ts$`);
const world = ['platform', 'operators', 'interop', 'socket', 'http', 'files'];

export default {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    room('redaction', [], []),
    room('protocol', ['redaction'], ['io-ts', 'fp-ts']),
    room('state', ['protocol'], []),
    room('errors', ['redaction', 'protocol', 'state'], []),
    room('endpoints', ['protocol', 'state'], ['io-ts', 'fp-ts']),
    room('workflow', ['protocol', 'errors'], []),
    // The states of jobs by the name that programs know: the declarations of entries then repeat none of them.
    room('events', ['protocol', 'state'], [], '^src/node\\.ts$'),
    room('platform', ['errors'], ['rxjs', 'ws', 'undici'], '^node:', '^[a-z_/]+$'),
    room('operators', pure, ['rxjs', 'fp-ts']),
    room('interop', pure, ['rxjs', 'rxjs-for-await', 'fp-ts']),
    room('socket', [...pure, 'platform', 'operators', 'interop'], ['rxjs', 'fp-ts']),
    room('http', [...pure, 'platform', 'operators', 'interop'], ['rxjs', 'fp-ts', 'hash-wasm']),
    room('files', [...pure, 'platform', 'http', 'operators', 'interop'], ['rxjs', 'fp-ts']),
    room('dialects', [...pure, 'platform', 'socket', 'http'], ['rxjs', 'fp-ts', 'eventsource-parser']),
    room('jobs', [...pure, ...world, 'dialects'], ['rxjs', 'fp-ts']),
    room('testing', [...pure, ...world, 'dialects', 'jobs'], ['rxjs', 'fp-ts'], '^src/node\\.ts$'),
    rule('client', '^src/client[^/]*\\.ts$', {
      pathNot: [
        `^src/(${[...pure, ...world, 'dialects', 'jobs'].join('|')})/`,
        '^src/client',
        ...npm('rxjs', 'fp-ts'),
      ],
    }),
    {
      name: 'gateway-takes-its-clients-as-values',
      severity: 'error',
      comment: 'It runs in every runtime: of the entries it knows the types.',
      from: { path: '^src/gateway/' },
      to: { path: '^src/(node|bun|browser|client)\\.ts$', dependencyTypesNot: ['type-only'] },
    },
    rule('codecs', '^src/codecs\\.ts$', { pathNot: ['^src/(protocol|endpoints)/'] }),
    room(
      'gateway',
      [...pure, 'events', 'platform', 'interop', 'http'],
      ['rxjs', 'fp-ts', 'hash-wasm', 'hono', 'abstract-level', 'memory-level', 'classic-level'],
      '^src/node\\.ts$',
      '^node:',
      '^[a-z_/0-9]+$',
    ),
    {
      name: 'native-code-only-for-folders',
      severity: 'error',
      comment: 'A gateway without a folder runs where no native code does, and needs no package of it.',
      from: { path: '^src/(?!gateway/node/)' },
      to: { path: 'node_modules/classic-level/' },
    },
    room(
      'queue',
      [...pure, 'events', 'platform', 'interop'],
      ['rxjs', 'fp-ts', 'bullmq', 'ioredis', '@opentelemetry/api'],
      '^src/gateway/(ports|jobs|lost)/',
      '^src/node\\.ts$',
      '^node:',
      '^[a-z_/0-9]+$',
    ),
    room(
      'remote',
      ['protocol', 'state', 'errors', 'events', 'platform', 'operators', 'interop'],
      ['rxjs'],
      '^src/node\\.ts$',
    ),
    rule(
      'the-queue-decides-without-the-world',
      '^src/queue/policy/',
      { pathNot: ['^src/queue/policy/', '^src/gateway/lost/by-sight\\.ts$', '^src/node\\.ts$'] },
      'What to do with a submission is decided by its record alone, so a simulator can play it.',
    ),
    room('fp', ['errors', 'workflow', 'interop'], ['fp-ts'], '^src/node\\.ts$'),
    rule(
      'platforms-are-chosen-by-the-entries',
      '^src/(?!platform/|node\\.ts|bun\\.ts|browser\\.ts|emulator/|cli/)',
      { path: '^src/platform/(node|browser|bun)' },
      'Everything else gets its platform as a value.',
    ),
    rule(
      'only-the-command-uses-the-test-double',
      '^src/(?!testing/|cli/)',
      { path: '^src/testing/' },
      'A program does not carry what its tests need.',
    ),
    rule(
      'emulator-stands-alone',
      '^src/emulator/',
      { path: '^src/(?!emulator/)' },
      'The emulator shares no code with the client: one misreading of the protocol must not pass on both sides.',
    ),
    rule(
      'nobody-leans-on-the-emulator',
      '^src/(?!emulator/|cli/)',
      { path: '^src/emulator/' },
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
      '^src/(?!platform/node(/|\\.ts)|node\\.ts|bun\\.ts|gateway/node/|queue/|emulator/|cli/)',
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
