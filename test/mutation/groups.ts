/** Modules that are judged by the same tests. */
export interface Group {
  /** Folders or files, from the root of the repository; a folder's new modules belong to it at once. */
  readonly modules: readonly string[];
  /** Folders or files of tests; of these only those play that load the module. */
  readonly tests: readonly string[];
  /** Modules among them that decide nothing that this is about, and tests that are too slow to be played so often. */
  readonly except?: readonly string[];
}

const cliTests = (...names: readonly string[]): readonly string[] =>
  names.map((name) => `test/cli/${name}.test.ts`);

/** Commands, and parts of them, that tests hold without the whole command. */
const nearCommands = ['cancel', 'check', 'client-of-job', 'common-options', 'ended-job'].map(
  (name) => `src/cli/commands/${name}.ts`,
);

const redisTests = (folder: string, ...names: readonly string[]): readonly string[] =>
  names.map((name) => `test/queue/${folder}/${name}.redis.test.ts`);

/** What needs a server of Redis to be played: each play starts one, so the others of a folder go without. */
const [openedJobs, openedWork, stored] = [
  ['create-job-queue', 'open-queue', 'queue-generate', 'redis-ports'].map(
    (name) => `src/server/queue/jobs/${name}.ts`,
  ),
  ['create-worker', 'open-work', 'servers/work-over-servers'].map(
    (name) => `src/server/queue/worker/${name}.ts`,
  ),
  [
    ...[
      'check-rights',
      'mend-records',
      'redis-event-log',
      'redis-file-store',
      'redis-job-index',
      'redis-job-store',
    ],
    ...['redis-queue-store', 'redis-template-store', 'script', 'scripts/generated/scripts'],
  ].map((name) => `src/server/queue/store/${name}.ts`),
] as const;

/**
 * The modules that decide ends, outputs, routing, retries, redaction and file names, and those of calls, platforms, workflows, the
 * command, events, gateway, remote and queue.
 */
export const groups: readonly Group[] = [
  {
    modules: ['src/core/names', 'src/core/files/name-files.ts'],
    tests: [
      'test/files/safe-file-name.test.ts',
      'test/files/name-files.test.ts',
      'test/files/names-growth.test.ts',
      'test/properties/safe-file-name.test.ts',
    ],
  },
  { modules: ['src/core/state'], tests: ['test/state'] },
  {
    modules: ['src/core/errors'],
    tests: ['test/errors'],
    except: ['src/core/errors/error-defaults.ts', 'src/core/errors/errors.ts'],
  },
  {
    modules: ['src/core/redaction'],
    tests: ['test/redaction'],
    except: ['test/redaction/redact-growth.test.ts'],
  },
  {
    modules: [
      'src/core/protocol/attribution',
      'src/core/socket/route.ts',
      'src/core/socket/early-messages.ts',
      'src/core/socket/redact-frames.ts',
      'src/core/socket/fatal-end.ts',
      'src/core/socket/reconnect.ts',
      'src/core/socket/frame-source.ts',
      'src/core/socket/started-jobs.ts',
    ],
    tests: ['test/protocol/attribution', 'test/socket', 'test/operators/for-prompt.test.ts'],
  },
  { modules: ['src/core/http'], tests: ['test/http', 'test/files/resume.test.ts'] },
  {
    modules: ['src/core/endpoints'],
    tests: ['test/endpoints'],
    except: ['answer-codecs', 'codecs', 'object-info', 'upload', 'user'].map(
      (name) => `src/core/endpoints/${name}.ts`,
    ),
  },
  { modules: ['src/client/dialects/local-job-status.ts'], tests: ['test/dialects'] },
  {
    modules: ['src/client/jobs'],
    tests: ['test/jobs'],
    except: [
      // What is kept and for how long, and how a job begins: measured elsewhere.
      'src/client/jobs/accept.ts',
      'src/client/jobs/accepted-ids.ts',
      'src/client/jobs/timer-queue.ts',
      'src/client/jobs/rate-limiter.ts',
      'src/client/jobs/prepare-workflow.ts',
      'src/client/jobs/kept-frames.ts',
      'src/client/jobs/frame-memory.ts',
      'src/client/jobs/known-jobs.ts',
      'src/client/jobs/tracker.ts',
      'src/client/jobs/job-context.ts',
      'src/client/jobs/pull-map.ts',
      'src/client/jobs/recent-submissions.ts',
      'src/client/jobs/run-all.ts',
      'src/client/jobs/run.ts',
      'src/client/jobs/job-handle.ts',
      'src/client/jobs/follow.ts',
      'src/client/jobs/start-job.ts',
      'src/client/jobs/validate.ts',
      // They replace modules or take long.
      'test/jobs/validate.test.ts',
      'test/jobs/frame-memory.test.ts',
      'test/jobs/many-jobs.test.ts',
      'test/jobs/kept-frames.test.ts',
    ],
  },
  {
    modules: ['src/workflow/validate'],
    tests: ['test/workflow/validate'],
    // Hundreds of graphs each.
    except: ['test/workflow/validate/agreement.test.ts', 'test/workflow/validate/properties.test.ts'],
  },
  {
    modules: ['src/core/platform'],
    tests: ['test/platform'],
    // Types alone, and a test that starts a program that loads no mutant.
    except: ['src/core/platform/platform.ts', 'test/platform/root-secrets.unshare.test.ts'],
  },
  { modules: ['src/workflow/build'], tests: ['test/workflow/build'] },
  {
    modules: ['src/workflow/convert'],
    tests: ['test/workflow/convert'],
    // Hundreds of files.
    except: ['test/workflow/convert/laws.test.ts'],
  },
  { modules: ['src/workflow/edit'], tests: ['test/workflow/edit'] },
  { modules: ['src/workflow/preflight'], tests: ['test/workflow/preflight'] },
  {
    modules: ['src/workflow/metadata', 'src/workflow/find-graphs.ts'],
    tests: ['test/workflow/metadata', 'test/workflow/parts.test.ts'],
    // Hundreds of files, or a program, or other packages.
    except: ['hostile', 'media.ffmpeg', 'other-readers'].map(
      (name) => `test/workflow/metadata/${name}.test.ts`,
    ),
  },
  {
    modules: [
      'combo-index',
      'definitions',
      'dynamic-combo',
      'file-input',
      'kept',
      'read-graph',
      'read-api-workflow',
      'rounded-integers',
      'tell-format',
      'types-meet',
      'values',
    ].map((name) => `src/workflow/${name}.ts`),
    tests: [
      'test/workflow/parts.test.ts',
      'test/workflow/definitions.test.ts',
      'test/workflow/file-input.test.ts',
      'test/workflow/lists-with-holes.test.ts',
      'test/workflow/read-graph.test.ts',
      'test/workflow/read-api-workflow.test.ts',
      'test/workflow/convert',
      'test/workflow/edit',
    ],
    // Hundreds of graphs each.
    except: ['convert/laws', 'edit/diff-workflows'].map((name) => `test/workflow/${name}.test.ts`),
  },
  { modules: ['src/cli/codegen'], tests: ['test/cli/codegen', 'test/cli/codegen.test.ts'] },
  {
    modules: ['src/cli/input'],
    tests: [
      ...['test/cli/input', 'test/cli/inspect'],
      ...cliTests('headers', 'serve', 'validate', 'commands', 'inspect', 'diff'),
    ],
  },
  { modules: ['src/workflow/outputs'], tests: ['test/workflow/outputs', 'test/cli/names.test.ts'] },
  { modules: ['src/cli/picture'], tests: ['test/cli/picture'] },
  {
    modules: ['src/cli/report'],
    tests: ['test/cli/report', 'test/cli/inspect', ...cliTests('words', 'ends', 'replay', 'jobs', 'inspect')],
  },
  {
    modules: ['src/cli/serving'],
    tests: ['test/cli/serving', ...cliTests('serve', 'servers', 'studio', 'bounds')],
  },
  { modules: ['src/cli/doctor'], tests: ['test/cli/doctor', ...cliTests('doctor', 'doctor-network')] },
  { modules: ['src/cli/terminal'], tests: ['test/cli/terminal', 'test/cli/terminal.test.ts'] },
  { modules: ['src/cli/types'], tests: ['test/cli/types', 'test/cli/types.test.ts'] },
  { modules: nearCommands, tests: ['test/cli/commands', ...cliTests('cancel', 'check')] },
  { modules: ['src/cli/job-key'], tests: ['test/cli/job-key', ...cliTests('job-key')] },
  {
    modules: ['src/cli/validation'],
    tests: ['test/cli/validation', ...cliTests('run', 'run-requests', 'validate')],
  },
  {
    modules: [
      'cli-io',
      'create-file',
      'durations-file',
      'error-code',
      'error-message',
      'escape-risky',
      'exit-code',
      'listen',
      'redact-output',
      'replace-file',
      'save-into',
      'settings',
      'stop',
    ].map((name) => `src/cli/${name}.ts`),
    tests: [
      ...cliTests('cli-io', 'create-file', 'durations-file', 'error-message', 'exit-code', 'listen'),
      ...cliTests('error-code', 'escape-risky', 'job-key', 'redact-output', 'replace-file', 'save-into'),
      ...cliTests('interrupt', 'settings', 'stop', 'types/text'),
      ...['test/cli/report', 'test/cli/input/watch-secret.test.ts'],
    ],
  },
  {
    modules: [
      'src/cli/commands',
      ...['command-options', 'program', 'run-command'].map((name) => `src/cli/${name}.ts`),
    ],
    tests: ['test/cli'],
    except: [
      ...nearCommands,
      // They compare texts of the docs, or start processes that load no mutant.
      ...cliTests('docs', 'main', 'command-options'),
      ...['doctor-certificate', 'ends-without-redis.redis', 'serve.nginx'].map(
        (name) => `test/cli/${name}.test.ts`,
      ),
    ],
  },
  { modules: ['src/core/events'], tests: ['test/events'] },
  { modules: ['src/core/interop/slots.ts'], tests: ['test/interop/slots.test.ts'] },
  { modules: ['src/server/gateway/http'], tests: ['test/gateway/http'] },
  {
    modules: ['src/server/gateway/jobs'],
    tests: ['test/gateway/jobs', 'test/gateway/registry/shared-jobs.test.ts'],
  },
  {
    modules: ['src/server/gateway/lost', 'src/core/lost'],
    tests: ['test/gateway/lost', 'test/lost'],
    // An emulator for each case.
    except: ['test/gateway/lost/over-services.test.ts'],
  },
  {
    modules: ['src/server/gateway/registry', 'src/server/joblog'],
    tests: [
      ...['test/gateway/registry', 'test/joblog'],
      ...['full-disk', 'supplied-jobs'].map((name) => `test/gateway/jobs/${name}.test.ts`),
    ],
  },
  {
    modules: ['src/server/gateway/upstream', 'src/server/gateway/services'],
    tests: ['test/gateway/upstream', 'test/gateway/services'],
    // Engines, and a server of Redis.
    except: ['over-pool', 'over-queue.redis'].map((name) => `test/gateway/services/${name}.test.ts`),
  },
  {
    modules: ['src/server/gateway/node'],
    tests: ['test/gateway/node'],
    // They start processes that load no mutant.
    except: ['folder.unshare', 'processes'].map((name) => `test/gateway/node/${name}.test.ts`),
  },
  {
    modules: ['src/server/gateway/ports', 'src/server/gateway/store'],
    tests: ['test/gateway/ports', 'test/gateway/store', 'test/gateway/node/check-folder.test.ts'],
    // Hundreds of jobs.
    except: ['test/gateway/store/many-jobs.test.ts'],
  },
  {
    modules: ['src/server/gateway/routes', 'src/server/gateway/v2'],
    tests: [
      ...['test/gateway/routes', 'test/gateway/v2'],
      ...['readiness', 'servers', 'socket-images'].map((name) => `test/gateway/${name}.test.ts`),
    ],
  },
  { modules: ['src/server/gateway/calls'], tests: ['test/gateway/calls'] },
  { modules: ['src/server/gateway/servers'], tests: ['test/gateway/servers'] },
  {
    modules: ['definitions', 'model', 'native', 'saved-templates'].map(
      (name) => `src/server/gateway/${name}`,
    ),
    tests: [
      ...['definitions', 'native-routes', 'preflight', 'saved-templates'].map(
        (name) => `test/gateway/routes/${name}.test.ts`,
      ),
      ...['test/gateway/calls/waiting.test.ts', 'test/gateway/told-states.test.ts'],
    ],
  },
  { modules: ['src/server/gateway/streams'], tests: ['test/gateway/streams'] },
  {
    modules: ['src/server/gateway/webhooks'],
    tests: ['test/gateway/webhooks', 'test/gateway/calls/job-webhook.test.ts'],
    // Hundreds of sockets.
    except: ['test/gateway/webhooks/addresses.test.ts'],
  },
  { modules: ['src/page/remote'], tests: ['test/remote', 'test/generate/remote.test.ts'] },
  { modules: ['src/server/queue/policy'], tests: ['test/queue/policy', 'test/queue/worker/settle.test.ts'] },
  { modules: ['src/server/queue/engine'], tests: ['test/queue/engine'] },
  {
    modules: ['src/server/queue/jobs'],
    tests: ['test/queue/jobs'],
    except: [
      ...openedJobs,
      ...redisTests(
        'jobs',
        'closing',
        'create-job-queue',
        'many-jobs',
        'one-id-twice',
        'open-queue',
        'ports',
      ),
      ...redisTests('jobs', 'redis-ports', 'refused-bodies', 'refusing-servers', 'rights', 'written-once'),
    ],
  },
  {
    modules: openedJobs,
    tests: [
      ...redisTests('jobs', 'closing', 'create-job-queue', 'one-id-twice', 'open-queue', 'ports', 'rights'),
      'test/queue/generate.redis.test.ts',
    ],
  },
  {
    modules: ['src/server/queue/servers'],
    tests: [
      'test/queue/servers',
      'test/queue/worker/servers',
      'test/queue/store/scripts/servers.redis.test.ts',
    ],
  },
  {
    modules: ['src/server/queue/redis', 'src/server/queue/follow'],
    tests: ['test/queue/redis', 'test/queue/follow'],
    // They kill their server, or watch its other connections.
    except: [
      ...redisTests('redis', 'clients', 'cut-answers', 'failover', 'moved', 'open-listener', 'sentinel'),
      ...redisTests('follow', 'notifications', 'previews'),
    ],
  },
  { modules: ['src/server/queue/telemetry'], tests: ['test/queue/telemetry'] },
  {
    modules: ['src/server/queue/worker'],
    tests: ['test/queue/worker'],
    except: [
      ...openedWork,
      ...redisTests('worker', 'count-external-jobs', 'create-worker', 'lost-keys', 'out-of-memory'),
      ...redisTests('worker', 'refused-writes', 'settle', 'slots', 'servers/work-over-servers'),
    ],
  },
  { modules: openedWork, tests: redisTests('worker', 'create-worker', 'servers/work-over-servers') },
  // Its scripts of Lua are mutated as well.
  {
    modules: ['src/server/queue/store'],
    tests: ['test/queue/store'],
    except: [
      ...stored,
      ...redisTests(
        'store',
        'check-settings',
        'damaged',
        'mend-records',
        'redis-event-log',
        'redis-file-store',
      ),
      ...redisTests('store', 'redis-job-index', 'redis-job-store', 'redis-template-store', 'retention'),
      ...redisTests('store/scripts', 'job-index', 'jobs', 'log', 'out-of-memory', 'servers'),
    ],
  },
  {
    modules: stored,
    tests: ['test/queue/store'],
    // They kill the server, or add hundreds of jobs.
    except: redisTests('store', 'redis-event-log', 'redis-job-store', 'retention'),
  },
];
