import type { Command } from 'commander';
import type { CommonFlags, RunCommand, Session } from '../run-command.js';
import { examine } from '../doctor/examine.js';
import type { ExitName } from '../exit-code.js';
import { folderPath, positive, withConnection } from './common-options.js';
import { UsageError } from '../cli-io.js';

interface DoctorFlags extends CommonFlags {
  readonly out: string;
  readonly origin?: string;
  readonly redis?: string;
  readonly patience: number;
}

/** Adds `promptwire doctor`. */
export const addDoctor = (program: Command, runCommand: RunCommand): void => {
  withConnection(program.command('doctor'))
    .description(
      'Say why it does not work here: one line for each cause, the first one first. Nothing is submitted.',
    )
    .option('--origin <origin>', 'the origin of a page that is to call the service')
    .option('--out <dir>', 'the folder that files are to go to', folderPath, 'outputs')
    .option('--redis <url>', 'address of the Redis server of a queue, in place of PROMPTWIRE_REDIS_URL')
    .option('--patience <seconds>', 'how long anything may take to answer', positive, 10)
    .action((flags: DoctorFlags) => runCommand(flags, (session) => doctor(session, flags)));
};

const doctor = async (session: Session, flags: DoctorFlags): Promise<ExitName> => {
  const { io, report, stop, addSecret } = session;
  const settings = await session.settings();
  if (!URL.canParse(settings.baseUrl))
    throw new UsageError(`${settings.baseUrl} is no address: begin it with https:// or http://`);
  const redis = (flags.redis ?? io.env['PROMPTWIRE_REDIS_URL'])?.trim();
  if (redis !== undefined && URL.canParse(redis)) addSecret(decodeURIComponent(new URL(redis).password));
  return examine(
    {
      ...{ io, settings, stop, redis, out: flags.out, origin: flags.origin },
      url: new URL(settings.baseUrl),
      connect: () => session.connect(),
      patienceMs: flags.patience * 1000,
    },
    (finding) => report({ kind: 'check', ...finding }),
  );
};
