import { bearerTokens, type GatewayOptions, memoryJobIndex } from '../../gateway.js';
import { type CallFlags, callsOf } from '../serving/calls-of.js';
import { type Command } from 'commander';
import { originOf } from '../serving/origin-of.js';
import { type CommonFlags, type RunCommand, type Session } from '../run-command.js';
import type { ExitName } from '../exit-code.js';
import { defaultPlatform, isServiceError } from '../../node.js';
import { folderPath, integer, positive, repeated, withConnection } from './common-options.js';
import { readGatewayTokens } from '../input/gateway-tokens.js';
import { readWatchSecret } from '../input/watch-secret.js';
import { createJobQueue, redisPorts } from '../../queue.js';
import { readTemplates } from '../input/templates.js';
import { readQueue } from '../input/queue-flags.js';
import { readStudio } from '../serving/studio-files.js';
import { runGateway, type ServingFlags } from '../serving/run-gateway.js';
import { checkFolder, filePorts, webhookSender } from '../../gateway-node.js';
import { namesServers, type ServerFlags, withServers } from '../input/server-flags.js';
import { grantsOf, operatorHere } from '../serving/callers.js';
import { UsageError } from '../cli-io.js';

interface ServeFlags extends CommonFlags, ServerFlags, ServingFlags, CallFlags {
  readonly maxJobs?: number;
  readonly maxStreams?: number;
  readonly maxUploads?: number;
  readonly maxRequestRate?: number;
  readonly maxKeptBytes?: number;
  readonly maxHeldBytes?: number;
  readonly maxBodyValues?: number;
  readonly totalStreams?: number;
  readonly totalUploads?: number;
  readonly totalJobs?: number;
  readonly totalKeptBytes?: number;
  readonly maxBodyBytes?: number;
  readonly maxUploadBytes?: number;
  readonly tokensFile?: string;
  readonly operator?: readonly string[];
  readonly data?: string;
  readonly check?: string | true;
  readonly repair?: boolean;
  readonly allowOrigin?: readonly string[];
  readonly template?: readonly string[];
  readonly redis?: string;
  readonly name?: string;
  readonly maxWorkflowBytes?: number;
  readonly webhooks?: boolean;
  readonly webhookHost?: readonly string[];
  readonly origin?: string;
  readonly mount?: string;
  readonly studio?: boolean;
  readonly watchSecretFile?: string;
}

/** Adds `promptwire serve`. */
export const addServe = (program: Command, runCommand: RunCommand): void => {
  withLimits(withServers(withConnection(program.command('serve'))))
    .description(
      'Run a gateway before the service, until Ctrl-C: callers run jobs by it, and it keeps the key.',
    )
    .option('--port <n>', 'port to listen on; 0 is a free one', integer(65_535), 8189)
    .option(
      '--studio',
      'serve the page of the studio at the root, or at --mount; people sign in by their token',
    )
    .option('--host <host>', 'address to listen on; without tokens a loopback one', '127.0.0.1')
    .option(
      '--tokens-file <file>',
      'read the tokens of callers, name:token in each line, from this file, which only you may be able to read',
    )
    .option(
      '--operator <name>',
      'let this caller see, pause, resume and drain the servers; repeatable; without tokens all here may',
      repeated,
    )
    .option(
      '--allow-origin <origin>',
      'let pages of this origin call, such as https://app.example; repeatable',
      repeated,
    )
    .option(
      '--data <dir>',
      'keep jobs and events in this folder, so that a restart goes on with them; needs classic-level@3',
      folderPath,
    )
    .option(
      '--check [dir]',
      'say what is damaged in this folder, or that of --data, and end: with 0 where all is well or was repaired, else with 1',
    )
    .option('--repair', 'with --check: make of the folder what can be read; copy it first')
    .option(
      '--redis <url>',
      'let the workers of the queue at this Redis server run the jobs; not with --data',
    )
    .option(
      '--name <name>',
      'name of that queue, default promptwire; alone, with the address from PROMPTWIRE_REDIS_URL',
    )
    .option('--template <name=file>', 'a workflow that callers run by name and inputs; repeatable', repeated)
    .option(
      '--origin <origin>',
      'the origin by which callers reach the gateway, for its links; default that of each request',
    )
    .option('--mount <path>', 'the path below which a proxy shows the gateway, such as /comfy')
    .option(
      '--trust-proxy <address>',
      'believe the Forwarded headers of this address or network, such as 10.0.0.0/8; repeatable',
      repeated,
    )
    .option(
      '--watch-secret-file <file>',
      'read what signs watch tickets from this file; default PROMPTWIRE_WATCH_SECRET, or kept with --data',
    )
    .option(
      '--input-origin <origin>',
      'let submissions name files by addresses of this origin, such as https://files.example; repeatable',
      repeated,
    )
    .option(
      '--max-wait <s>',
      'seconds that a submission with Prefer: wait may wait for its job; default 50',
      positive,
    )
    .option(
      '--webhooks',
      'send events of jobs to the public addresses that callers put at /webhooks; off by default',
    )
    .option(
      '--webhook-host <host>',
      'let webhooks go to this host, also where it is not public, such as 10.0.0.5:8080; needs --webhooks; repeatable',
      repeated,
    )
    .action((flags: ServeFlags) =>
      runCommand(flags, (session) =>
        flags.check !== undefined || flags.repair === true
          ? checkData(session, flags)
          : serve(session, flags),
      ),
    );
};

/** Adds what callers may ask for at most. */
const withLimits = (command: Command): Command =>
  command
    .option(
      '--max-body-bytes <n>',
      'largest body of a request other than an upload; default 16 MiB',
      positive,
    )
    .option('--max-upload-bytes <n>', 'largest upload; default 256 MiB', positive)
    .option('--max-jobs <n>', 'jobs of one caller that have not ended; default 100', positive)
    .option('--max-streams <n>', 'open streams of one caller; default 32', positive)
    .option('--max-uploads <n>', 'uploads of one caller at once; default 4', positive)
    .option(
      '--max-request-rate <n>',
      'requests of one caller in a second, also less than one; default 100',
      positive,
    )
    .option('--max-kept-bytes <n>', 'bytes of what is kept of one caller’s jobs; default 64 MiB', positive)
    .option('--max-held-bytes <n>', 'bytes of all bodies that are under way; default 512 MiB', positive)
    .option('--max-body-values <n>', 'values in a body of JSON; default 100,000', positive)
    .option('--total-streams <n>', 'open streams of all callers; default 10,000', positive)
    .option('--total-uploads <n>', 'uploads of all callers at once; default 64', positive)
    .option('--total-jobs <n>', 'jobs of all callers that are kept; default 10,000', positive)
    .option('--total-kept-bytes <n>', 'bytes of what is kept of all jobs; default 128 MiB', positive)
    .option(
      '--max-workflow-bytes <n>',
      'largest workflow that a queue takes, compressed; default 32 MiB',
      positive,
    );

const serve = async (session: Session, { studio, ...flags }: ServeFlags): Promise<ExitName> => {
  const { stop, addSecret, connect, pool } = session;
  const tokens = await readGatewayTokens(session.io, { stop, tokensFile: flags.tokensFile });
  for (const token of Object.values(tokens)) addSecret(token);
  const isOpen = Object.keys(tokens).length === 0;
  const grants = grantsOf(flags, tokens);
  if (isOpen && !isLoopback(flags.host)) {
    throw new UsageError(
      `without tokens everyone who reaches ${flags.host} could run jobs on your account: set PROMPTWIRE_GATEWAY_TOKENS to ` +
        'name:token, or name a file with --tokens-file, or leave --host out.',
    );
  }
  const templates = await readTemplates(session, flags.template ?? []);
  const open = namesServers(flags) ? pool : connect;
  const client = await open({ keepsFrames: false });
  await using places = await openPlaces(session, flags);
  const secretPlaces = { file: flags.watchSecretFile, data: flags.data };
  const watchTokenSecret = await readWatchSecret(session.io, secretPlaces);
  return await runGateway(
    session,
    {
      client,
      authorize: isOpen ? operatorHere : bearerTokens(tokens, grants),
      loopbackOnly: isOpen,
      ...limitsOf(flags),
      allowOrigins: (flags.allowOrigin ?? []).map((text) => originOf(text, '--allow-origin')),
      ...(flags.origin !== undefined && { origin: originOf(flags.origin, '--origin') }),
      ...(flags.mount !== undefined && { mount: flags.mount }),
      ...(watchTokenSecret !== undefined && { watchTokenSecret }),
      templates,
      ...places.options,
      ...webhooksOf(flags),
      ...callsOf(flags),
    },
    {
      ...flags,
      ...(studio === true && { studio: (await readStudio())({ hasServers: mayShowServers(flags, isOpen) }) }),
      announce: (baseUrl) => ({ kind: 'gateway', baseUrl }),
    },
  );
};

/** Whether the gateway may have servers, and callers who may see them. */
const mayShowServers = (flags: ServeFlags, isOpen: boolean): boolean =>
  (namesServers(flags) || flags.redis !== undefined || flags.name !== undefined) &&
  (isOpen || flags.operator !== undefined);

/** Reads everything that the folder holds; no gateway may have it meanwhile. */
const checkData = async (
  { report }: Session,
  { data, check, repair = false }: ServeFlags,
): Promise<ExitName> => {
  const folder = check === true ? data : check;
  if (folder === undefined || (data ?? folder) !== folder)
    throw new UsageError('--check takes one folder, and --repair needs --check');
  const { problems, isWhole } = await checkFolder(folder, { repair }).catch(inFolder(folder));
  for (const message of problems) report({ kind: 'warning', message });
  report({ kind: 'checked', folder, problems: problems.length, repaired: repair });
  return isWhole ? 'done' : 'unexpected';
};

/** The limits that flags set; the gateway has defaults of its own for the others. */
const limitsOf = (flags: ServeFlags): Required<Pick<GatewayOptions, 'limits' | 'totals'>> => ({
  limits: {
    ...(flags.maxJobs !== undefined && { jobs: flags.maxJobs }),
    ...(flags.maxStreams !== undefined && { streams: flags.maxStreams }),
    ...(flags.maxUploads !== undefined && { uploads: flags.maxUploads }),
    ...(flags.maxRequestRate !== undefined && { requestsPerSecond: flags.maxRequestRate }),
    ...(flags.maxKeptBytes !== undefined && { keptBytes: flags.maxKeptBytes }),
    ...(flags.maxBodyValues !== undefined && { bodyValues: flags.maxBodyValues }),
    ...(flags.maxBodyBytes !== undefined && { bodyBytes: flags.maxBodyBytes }),
    ...(flags.maxUploadBytes !== undefined && { uploadBytes: flags.maxUploadBytes }),
  },
  totals: {
    ...(flags.maxHeldBytes !== undefined && { heldBytes: flags.maxHeldBytes }),
    ...(flags.totalStreams !== undefined && { streams: flags.totalStreams }),
    ...(flags.totalUploads !== undefined && { uploads: flags.totalUploads }),
  },
});

export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/u.test(host);

/** Where jobs go, and where what is known of them is kept. It closes both, also where no gateway comes to use them. */
const openPlaces = async (
  session: Session,
  { data, redis, name, maxWorkflowBytes, totalJobs: maxJobs, totalKeptBytes: maxSize }: ServeFlags,
): Promise<
  AsyncDisposable & {
    readonly options: Pick<GatewayOptions, 'queue' | 'index' | 'log' | 'assets' | 'webhookStore'>;
  }
> => {
  if (redis === undefined && name === undefined) {
    if (data === undefined) {
      const options = { index: memoryJobIndex({ maxJobs, maxSize }) };
      return { options, [Symbol.asyncDispose]: () => Promise.resolve() };
    }
    const onDamage = (message: string): void => session.report({ kind: 'warning', message });
    const ports = await filePorts(data, { onDamage, maxJobs, maxSize }).catch(inFolder(data));
    return { options: ports, [Symbol.asyncDispose]: ports.close };
  }
  if (data !== undefined)
    throw new UsageError('--data is for a gateway without a queue, which keeps its jobs in Redis');
  const account = readQueue(session, { redis, name: name ?? 'promptwire', maxWorkflowBytes });
  const ports = await redisPorts({ ...account, maxJobs, maxSize });
  const queue = createJobQueue(account);
  return {
    options: { queue, ...ports },
    [Symbol.asyncDispose]: async () => {
      await ports.close();
      await queue.close();
    },
  };
};

/** Off unless it is asked for: callers choose where these requests go. */
const webhooksOf = ({ webhooks, webhookHost }: ServeFlags): Pick<GatewayOptions, 'webhooks'> => {
  if (webhooks === true) {
    return { webhooks: { sender: webhookSender(defaultPlatform()), allowHosts: webhookHost ?? [] } };
  }
  if (webhookHost === undefined) return {};
  throw new UsageError('--webhook-host needs --webhooks');
};

export const inFolder =
  (folder: string) =>
  (error: unknown): never => {
    if (!isServiceError(error)) throw error;
    throw new UsageError(`--data ${folder}: ${error.message} ${error.hint}`);
  };
