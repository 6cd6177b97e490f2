import { bearerTokens } from '../../gateway.js';
import { type Command, Option } from 'commander';
import { type CommonFlags, type RunCommand, type Session } from '../run-command.js';
import { createMcp, type Mcp, type McpOptions } from '../../mcp.js';
import { createServer } from 'node:http';
import type { ExitName } from '../exit-code.js';
import { firstValueFrom } from 'rxjs';
import { fromAbortSignal } from '../../node.js';
import { folderPath, integer, positive, repeated, withConnection } from './common-options.js';
import { namesServers, withServers } from '../input/server-flags.js';
import { isLoopback } from './serve.js';
import { listen } from '../listen.js';
import { readGatewayTokens } from '../input/gateway-tokens.js';
import { readTemplates } from '../input/templates.js';
import { readToken } from '../input/gateway-token.js';
import { saveInto } from '../save-into.js';
import { shrinkToBytes } from '../picture/shrink-to-bytes.js';
import { toNodeHandler } from '../../gateway-node.js';
import { UsageError } from '../cli-io.js';
import { version } from '../package-root.js';

interface McpFlags extends CommonFlags, Pick<McpOptions, 'maxJobs' | 'confirm' | 'maxImageBytes'> {
  readonly port?: number;
  readonly host: string;
  readonly tokensFile?: string;
  readonly gateway?: string;
  readonly gatewayTokenFile?: string;
  readonly template?: readonly string[];
  readonly onCancel?: 'cancel' | 'detach';
  readonly maxWait?: number;
  readonly out?: string;
}

/** Adds `promptwire mcp`. */
export const addMcp = (program: Command, runCommand: RunCommand): void => {
  withServers(withConnection(program.command('mcp')))
    .description(
      'Give an assistant tools that run workflows (Model Context Protocol), over standard input and output or, with --port, over HTTP.',
    )
    .option(
      '--port <n>',
      'serve streamable HTTP at /mcp of this port, in place of standard input and output; 0 is a free one',
      integer(65_535),
    )
    .option('--host <host>', 'address to listen on; without tokens a loopback one', '127.0.0.1')
    .option(
      '--tokens-file <file>',
      'read the tokens of callers, name:token in each line, from this file, which only you may be able to read',
    )
    .option('--gateway <url>', 'run jobs by this gateway, with its templates, in place of a service')
    .option(
      '--gateway-token-file <file>',
      'read the token for that gateway from this file, in place of PROMPTWIRE_GATEWAY_TOKEN',
    )
    .option('--template <name=file>', 'a workflow that runs by name and inputs; repeatable', repeated)
    .option('--max-jobs <n>', 'how many jobs may be submitted until the command ends; default 100', positive)
    .addOption(
      new Option(
        '--confirm <which>',
        "ask a person before these runs, and refuse them where the host can't ask; default paid",
      ).choices(['paid', 'always', 'never']),
    )
    .addOption(
      new Option('--on-cancel <what>', 'what a cancelled request does to its job; default cancel').choices([
        'cancel',
        'detach',
      ]),
    )
    .option(
      '--max-wait <seconds>',
      'how long one call may wait for its job, which goes on; default 600',
      positive,
    )
    .option(
      '--max-image-bytes <n>',
      'largest picture in a result; larger ones are scaled; default 400,000',
      positive,
    )
    .option(
      '--out <dir>',
      'save the files of jobs into this folder, and link them there; default they stay at the service',
      folderPath,
    )
    .action((flags: McpFlags) => runCommand(flags, (session) => serveMcp(session, flags)));
};

const serveMcp = async (session: Session, flags: McpFlags): Promise<ExitName> => {
  const { io, stop, enterStage } = session;
  if (flags.port === undefined && flags.json === true)
    throw new UsageError('without --port the protocol has standard output for itself: leave --json out');
  const mcp = await createMcp({
    ...(await target(session, flags)),
    version: version(),
    maxJobs: flags.maxJobs,
    confirm: flags.confirm,
    onCancelled: flags.onCancel,
    maxWaitSeconds: flags.maxWait,
    maxImageBytes: flags.maxImageBytes,
    shrink: shrinkToBytes,
    ...(flags.out !== undefined && { save: saveInto(flags.out) }),
  });
  enterStage('serve');
  if (flags.port !== undefined) return serveHttp(session, mcp, { ...flags, port: flags.port });
  const stopped = firstValueFrom(fromAbortSignal(stop), { defaultValue: undefined });
  await Promise.race([mcp.serveStdio(io.stdin, io.stdout), stopped]);
  return 'done';
};

/** The client, pool or gateway that runs the jobs. */
const target = async (
  session: Session,
  flags: McpFlags,
): Promise<Pick<McpOptions, 'client' | 'pool' | 'gateway' | 'templates'>> => {
  const { gateway: url, gatewayTokenFile, template = [] } = flags;
  const isPool = namesServers(flags);
  if (url === undefined) {
    if (gatewayTokenFile !== undefined) throw new UsageError('--gateway-token-file needs --gateway');
    const templates = await readTemplates(session, template);
    return isPool
      ? { pool: await session.pool({ keepsFrames: false }), templates }
      : { client: await session.connect({ keepsFrames: false }), templates };
  }
  if (isPool || flags.baseUrl !== undefined)
    throw new UsageError('--gateway stands in place of a service: leave --base-url and --server out');
  if (template.length > 0) throw new UsageError('a gateway has templates of its own: leave --template out');
  if (!URL.canParse(url)) throw new UsageError('--gateway takes an address, such as https://gateway.example');
  const token = await readToken(session, gatewayTokenFile);
  if (token !== undefined) session.addSecret(token);
  return { gateway: { url, ...(token !== undefined && { token }) } };
};

const serveHttp = async (
  session: Session,
  mcp: Mcp,
  { port, host, tokensFile }: McpFlags & { readonly port: number },
): Promise<ExitName> => {
  const { io, report, stop, addSecret } = session;
  const tokens = await readGatewayTokens(io, { stop, tokensFile });
  for (const token of Object.values(tokens)) addSecret(token);
  const isOpen = Object.keys(tokens).length === 0;
  if (isOpen && !isLoopback(host)) {
    throw new UsageError(
      `without tokens everyone who reaches ${host} could run jobs on your account: set PROMPTWIRE_GATEWAY_TOKENS to ` +
        'name:token, or name a file with --tokens-file, or leave --host out.',
    );
  }
  const http = mcp.http(isOpen ? () => ({ name: 'local' }) : bearerTokens(tokens), { loopbackOnly: isOpen });
  const atItsPath = (request: Request): Promise<Response> =>
    new URL(request.url).pathname === '/mcp'
      ? http.fetch(request)
      : Promise.resolve(new Response(null, { status: 404 }));
  const { server, address } = await listen(createServer(toNodeHandler({ fetch: atItsPath })), { port, host });
  report({ kind: 'gateway', baseUrl: `${address}/mcp` });
  await firstValueFrom(fromAbortSignal(stop), { defaultValue: undefined });
  await http.close();
  server.closeAllConnections();
  server.close();
  return 'done';
};
