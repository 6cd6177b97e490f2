// The layering, one way only: protocol, streams <- socket, http, operators, interop <- job <- client <- entries, platform <- cli.
const rule = (name, from, to, comment) => ({ name, severity: 'error', comment, from: { path: from }, to });

const npm = (...names) => names.map((name) => `node_modules/${name}/`);

export default {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    rule(
      'protocol-is-pure',
      '^src/protocol/',
      { pathNot: ['^src/protocol/', ...npm('io-ts', 'fp-ts')] },
      'protocol/ turns bytes and JSON into values: no rxjs, no clock, no I/O.',
    ),
    rule('streams', '^src/streams/', { pathNot: ['^src/streams/', ...npm('rxjs')] }),
    rule('operators', '^src/operators/', {
      pathNot: ['^src/(protocol|operators)/', ...npm('rxjs', 'fp-ts')],
    }),
    rule('interop', '^src/interop/', {
      pathNot: ['^src/(protocol|streams|interop)/', ...npm('rxjs', 'rxjs-for-await', 'fp-ts')],
    }),
    rule('socket', '^src/socket/', {
      pathNot: ['^src/(protocol|streams|socket|operators|interop)/', ...npm('rxjs', 'fp-ts')],
    }),
    rule('http', '^src/http/', {
      pathNot: [
        '^src/(protocol|http|operators|interop)/',
        '^src/socket/platform',
        ...npm('rxjs', 'fp-ts', 'io-ts'),
      ],
    }),
    rule('job', '^src/job/', {
      pathNot: ['^src/(protocol|streams|socket|http|operators|interop|job)/', ...npm('rxjs', 'fp-ts')],
    }),
    rule('client', '^src/client[^/]*\\.ts$', {
      pathNot: [
        '^src/(protocol|streams|socket|http|operators|interop|job)/',
        '^src/client',
        ...npm('rxjs', 'fp-ts'),
      ],
    }),
    rule('platform', '^src/platform/', {
      pathNot: [
        '^src/(protocol|platform)/',
        '^src/socket/platform',
        '^node:',
        '^[a-z_/]+$',
        ...npm('ws', 'undici'),
      ],
    }),
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
      { path: '^src/(?!cli/|node\\.ts$|bun\\.ts$|emulator/index\\.ts$)' },
      'What the command needs, a user needs: it goes through the public entries.',
    ),
    rule(
      'node-only-where-it-belongs',
      '^src/(?!platform/node(/|\\.ts)|node\\.ts|emulator/|cli/)',
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
