import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { leftOut } from './test/helpers/left-out.js';

/** Each has something that npm does not install with the package: a program, or packages of a framework. */
const programs = [
  'bun',
  'chromium',
  'curl',
  'deno',
  'ffmpeg',
  'inspector',
  'next',
  'nginx',
  'nitro',
  'openapi',
  'pages',
  'python',
  'react',
  'redis',
  'site',
  'typescript',
  'unshare',
];

/** Puts something in the place of a module, which nobody else may find there. */
const mocked = ['test/unbounded-buffer.test.ts'];

/** The examples of README and guide, run with the package as it is built. */
const docs = ['test/docs/examples-run.test.ts'];

/** What `npm run test:all` plays besides: figures of the scoreboard and mutants, played small, and the package as it is built. */
const figures = [
  'test/scoreboard/{small,planted,planted-*}.test.ts',
  'test/integration/{many-large-jobs,waiting-jobs}.test.ts',
];
/** Bugs that others planted in client and servers, which the tests, the statements of the protocol and the scenarios have to find. */
const mutants = [
  'test/mutants/{mutants,anchors}.test.ts',
  'test/conformance/rows.test.ts',
  'test/sdk/wrong-servers.test.ts',
];
const packaging = ['test/package/**/*.test.ts'];
/** Whole runs against a service, judged from outside: the SDK's scenarios, the statements of the protocol, faults at each moment of a job. */
const scenarios = ['test/{conformance,sdk,simulation}/**/*.test.ts'];

/**
 * Each takes a core for about a second or longer: programs in processes of their own, sizes at their bounds, commands and jobs from one end
 * to the other. They are an eighth of the files and take half of the time, so `npm test` leaves them out.
 */
const long = [
  'test/{client-preflight,recipes}.test.ts',
  'test/cli/{cancel,command-options,commands,doctor,doctor-certificate,doctor-network,ends,interrupt,job-key,main,mcp,names}.test.ts',
  'test/cli/{check,connection,create-file,outputs,replay,run,serve,servers,streamed-pictures,terminal,types,validate,words}.test.ts',
  'test/cli/{codegen/program,serving/{run-gateway,sample-files},terminal/format,types/{declarations,definitions-stream}}.test.ts',
  'test/dialects/{cloud-submission,v2/published}.test.ts',
  'test/docs/{failure-modes,links}.test.ts',
  'test/emulator/{interface-rows,safety,{faults,v2}/everything,faults/rest-faults,local/{local-run,machine}}.test.ts',
  'test/emulator/engine/{nodes/model-latents,text-to-image}.test.ts',
  'test/files/{download-limits,download-names,resume}.test.ts',
  'test/gateway/{jobs/create-jobs-limit,node/processes,openapi/openapi,ports/contracts}.test.ts',
  'test/gateway/{lost/over-services,node/check-folder,registry/shared-jobs,routes/{hostile-requests,native-routes,preflight}}.test.ts',
  'test/gateway/{calls/job-webhook,routes/saved-templates,v2/submit-job}.test.ts',
  'test/gateway/{services/over-pool,store/{change,damage,many-jobs},v2/assets,webhooks/{addresses,delivery}}.test.ts',
  'test/generate/{generate,remote}.test.ts',
  'test/http/{large-answers,pieces-reader,redirect-addresses}.test.ts',
  'test/integration/{assets,control,early-messages,local-silence,proxy,streams,web-socket-classes}.test.ts',
  'test/integration/{engine-calls,exact-integers,failures,faults,files,jobs-api}.test.ts',
  'test/integration/{large-messages,large-records,local,old-engines,pool,process-exit,runs,tls,worst}.test.ts',
  'test/mcp/{bounds,tools}.test.ts',
  'test/{mutants/plant,mutation/functions-of,scoreboard/{choice,old-numbers}}.test.ts',
  'test/platform/node/request-body.test.ts',
  'test/protocol/{path-part,json/{exact-marks,json-meter}}.test.ts',
  'test/properties/{decode-total,echoed-secrets,hostile-text,leaks-nothing,secrets}.test.ts',
  'test/properties/{fold-convergence,run-convergence,run-submits-once}.test.ts',
  'test/queue/{store/pack,worker/client-service}.test.ts',
  'test/redaction/{redact,redact-growth,redact-value}.test.ts',
  'test/testing/msw.test.ts',
  'test/workflow/{convert/laws,edit/diff-workflows,lists-with-holes,metadata/limits}.test.ts',
  'test/workflow/validate/{agreement,properties}.test.ts',
];

/** The laws of which `npm test` plays a share of their runs: what fast-check draws for, and what asks `test/helpers/runs.ts` for a share. */
const laws = readdirSync(join(import.meta.dirname, 'test'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => join('test', name))
  .filter((file) =>
    /from '(?:fast-check|.*\/helpers\/runs\.js)'/u.test(
      readFileSync(join(import.meta.dirname, file), 'utf8'),
    ),
  );

/** The share of their runs that the laws get where they are not played in full, as `PROMPTWIRE_RUNS` may say for a run. */
const share = process.env['PROMPTWIRE_RUNS'];
const env = { PROMPTWIRE_RUNS: share ?? '0.1' };

/** `properties` plays the laws among the long ones in full, so they are not played here as well unless a run names their share. */
const inFullElsewhere = share === undefined ? laws : [];

/** What most tests load is loaded once for all of them: none of them replaces a module or leaves anything behind. */
const isolate = false;

/** Builds the package once in a run, for the projects that install it. */
const globalSetup = './test/helpers/build-package.ts';

/** They start programs, browsers and compilers. */
const patience = { testTimeout: 120_000, hookTimeout: 120_000 };

const projects: (TestProjectInlineConfiguration & { test: { name: string } })[] = [
  { extends: true, test: { name: 'mocked', include: mocked } },
  { extends: true, test: { name: 'docs', include: docs, isolate, globalSetup } },
  {
    extends: true,
    test: {
      name: 'unit',
      include: ['test/**/*.test.ts'],
      exclude: [
        ...[...docs, ...mocked, ...long, ...figures, ...mutants, ...packaging, ...scenarios],
        ...['test/outside/**', `test/**/*.{${programs.join()}}.test.ts`],
      ],
      isolate,
    },
  },
  {
    extends: true,
    test: {
      name: 'properties',
      ...{ include: [...laws, ...scenarios], exclude: mutants, isolate },
      ...{ env: { PROMPTWIRE_RUNS: '1' }, ...patience },
    },
  },
  { extends: true, test: { name: 'long', include: long, exclude: inFullElsewhere, isolate, ...patience } },
  { extends: true, test: { name: 'figures', include: figures, isolate, ...patience } },
  { extends: true, test: { name: 'mutants', include: mutants, isolate } },
  { extends: true, test: { name: 'package', include: packaging, isolate, globalSetup } },
  ...programs.map((name) => ({
    extends: true as const,
    test: {
      name,
      include: [`test/outside/${name}{,-*}.test.ts`, `test/**/*.${name}.test.ts`],
      // The tests of React make a document, which is a global one.
      ...(name !== 'react' && { isolate }),
      // The walk through the site needs the site alone.
      ...(name !== 'site' && { globalSetup }),
      ...patience,
    },
  })),
];

export default defineConfig({
  // The entry of promises takes the client of the runtime by the name of the package, as the compiler does (tsconfig.json).
  resolve: { alias: [{ find: /^promptwire$/u, replacement: join(import.meta.dirname, 'src', 'node.ts') }] },
  test: {
    // One more than there are cores: some files mostly wait, for programs and for real sockets.
    maxWorkers: availableParallelism() + 1,
    reporters: [
      'default',
      leftOut(
        projects.map(({ test }) => test.name),
        programs,
      ),
    ],
    setupFiles: [
      ...['./test/helpers/unchanged-globals.ts', './test/helpers/close-after-file.ts'],
      './test/helpers/law-runs.ts',
    ],
    // Tests leave much behind at once: with more room for what is new, it is collected less often.
    execArgv: ['--max-semi-space-size=64'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // What is awaited comes from sockets and threads, which a busy machine serves late; a second is not enough there.
    expect: { poll: { timeout: 25_000 } },
    // A promise that nobody handles is a bug of the library, so it fails the run.
    dangerouslyIgnoreUnhandledErrors: false,
    restoreMocks: true,
    unstubGlobals: true,
    unstubEnvs: true,
    env,
    // CI plays one source many times: by project, and on several versions of Node.
    experimental: { fsModuleCache: process.env['PROMPTWIRE_PROGRAMS'] !== undefined },
    projects,
  },
});
