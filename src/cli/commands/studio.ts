import { firstValueFrom } from 'rxjs';
import { inFolder, isLoopback } from './serve.js';
import type { Command } from 'commander';
import { type CommonFlags, createClient, type RunCommand, type Session } from '../run-command.js';
import type { ExitName } from '../exit-code.js';
import { filePorts } from '../../gateway-node.js';
import type { GatewayOptions } from '../../gateway.js';
import { count } from '../terminal/format.js';
import { folderPath, integer, withConnection } from './common-options.js';
import { namesServers, type ServerFlags, withServers } from '../input/server-flags.js';
import { operatorHere } from '../serving/callers.js';
import { readStudio } from '../serving/studio-files.js';
import { runGateway } from '../serving/run-gateway.js';
import { startEmulator } from '../../emulator.js';
import { uploadSamples } from '../serving/sample-files.js';
import { UsageError } from '../cli-io.js';

interface StudioFlags extends CommonFlags, ServerFlags {
  readonly port: number;
  readonly host: string;
  readonly data?: string;
}

/** Adds `promptwire studio`. */
export const addStudio = (program: Command, runCommand: RunCommand): void => {
  withServers(withConnection(program.command('studio')))
    .description(
      'Open the studio on this machine, until Ctrl-C: a page that runs workflows, on a service, on many servers, or on an emulator of its own.',
    )
    .option('--port <n>', 'port to listen on; 0 is a free one', integer(65_535), 8190)
    .option('--host <host>', 'the loopback address to listen on', '127.0.0.1')
    .option(
      '--data <dir>',
      'keep jobs and templates in this folder, so that a restart has them; in memory by default; needs classic-level@3',
      folderPath,
    )
    .action((flags: StudioFlags) => runCommand(flags, (session) => studio(session, flags)));
};

const studio = async (session: Session, { data, ...flags }: StudioFlags): Promise<ExitName> => {
  if (!isLoopback(flags.host)) {
    throw new UsageError(
      `${flags.host} is no loopback address: \`promptwire serve --studio\` serves the page to others, with tokens.`,
    );
  }
  await using service = await openService(session, flags);
  const page = await readStudio();
  const onDamage = (message: string): void => session.report({ kind: 'warning', message });
  const ports = data === undefined ? {} : await filePorts(data, { onDamage }).catch(inFolder(data));
  const { name, client, hasServers } = service;
  return await runGateway(
    session,
    { client, authorize: operatorHere, loopbackOnly: true, keepMs, limits, ...ports },
    {
      ...flags,
      studio: page({ service: name, hasServers }),
      announce: (baseUrl) => ({ kind: 'studio', baseUrl, service: name }),
    },
  );
};

/** How long the gallery shows what was made. */
const keepMs = 365 * 24 * 60 * 60 * 1000;

/** One person runs a grid of jobs and scrolls through thousands of pictures. */
const limits: GatewayOptions['limits'] = { jobs: 1_000, requestsPerSecond: 1_000, keptBytes: 2 ** 30 };

interface Service extends AsyncDisposable {
  /** What jobs run on, for people. */
  readonly name: string;
  readonly client: NonNullable<GatewayOptions['client']>;
  /** Whether jobs run on servers, which the page shows. */
  readonly hasServers: boolean;
}

/** The servers or the service of flags and environment; an emulator in this process where neither names one. */
const openService = async (
  { connect, pool, settings, io: { env } }: Session,
  flags: StudioFlags,
): Promise<Service> => {
  const { baseUrl, dialect } = flags;
  if (namesServers(flags)) {
    const client = await pool({ keepsFrames: false });
    const servers = await firstValueFrom(client.servers, { defaultValue: [] });
    const names = servers.map(({ name }) => name).join(', ');
    // The session closes the pool that it has made.
    return {
      name: `${count(servers.length, 'server')}: ${names}`,
      client,
      hasServers: true,
      ...nothingToClose,
    };
  }
  const named = baseUrl ?? env['PROMPTWIRE_BASE_URL']?.trim() ?? '';
  if (named !== '' || (dialect ?? env['PROMPTWIRE_DIALECT']) === 'local') {
    const { origin } = new URL((await settings()).baseUrl);
    // The session closes the client that it has made.
    return {
      name: origin,
      client: await connect({ keepsFrames: false }),
      hasServers: false,
      ...nothingToClose,
    };
  }
  const emulator = await startEmulator({ switches: { fileNames: 'counter' } });
  const { baseUrl: address, wsUrl, apiKey } = emulator;
  const client = createClient({ baseUrl: address, wsUrl, apiKey, keptFrames: { jobBytes: 0 } });
  await uploadSamples(client);
  return {
    name: 'an emulator in this process',
    client,
    hasServers: false,
    [Symbol.asyncDispose]: async () => {
      await client.close();
      await emulator.close();
    },
  };
};

const nothingToClose = { [Symbol.asyncDispose]: () => Promise.resolve() };
