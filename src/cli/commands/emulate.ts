import { type Command, Option } from 'commander';
import { type CommonFlags, type RunCommand, type Session } from '../run-command.js';
import { type Emulator, type EmulatorOptions, readFaults, startEmulator } from '../../emulator.js';
import { emulateEngines } from './emulate-engines.js';
import { errorCode } from '../error-code.js';
import type { ExitName } from '../exit-code.js';
import { firstValueFrom } from 'rxjs';
import { fromAbortSignal } from '../../node.js';
import { integer, positive, repeated, withJson } from './common-options.js';
import { readJson, readText } from '../input/read-json.js';
import { replaceFile } from '../replace-file.js';
import { runBeside } from '../serving/run-beside.js';
import { UsageError } from '../cli-io.js';

interface EmulateFlags
  extends
    Omit<CommonFlags, 'dialect'>,
    Pick<EmulatorOptions, 'dialect' | 'engine' | 'ffmpeg' | 'port' | 'tier' | 'profile' | 'speed' | 'seed'> {
  readonly engines?: number;
  readonly machines?: string;
  readonly acceptKey?: readonly string[];
  readonly switch?: readonly string[];
  readonly faults?: string;
  readonly exec?: string;
  readonly import?: string;
  readonly export?: string;
}

/** Adds `promptwire emulate`. */
export const addEmulate = (program: Command, runCommand: RunCommand): void => {
  withJson(program.command('emulate'))
    .description('Run the service itself on this machine, until Ctrl-C, and print its addresses.')
    .addOption(
      new Option(
        '--dialect <dialect>',
        'kind of server: local is one engine without keys, tiers and profiles',
      )
        .choices(dialects)
        .default('cloud'),
    )
    .addOption(
      new Option('--engine <version>', 'the release that a local server plays; default 0.3.64').choices(
        engines,
      ),
    )
    .option(
      '--engines <n>',
      'so many local servers, each with a queue of its own, on ports that follow --port; prints the --server options that reach them',
      integer(64),
    )
    .option(
      '--machines <file>',
      'what each local server is, as a JSON list: speed, memory, models, loadMsPerGiB, faults; --engines repeats a shorter list (- is standard input)',
    )
    .option('--port <n>', 'port on 127.0.0.1; 0 is a free one', integer(65_535), 0)
    .addOption(new Option('--tier <tier>', 'plan of the account').choices(tiers).default('creator'))
    .option(
      '--accept-key <key>',
      "accept this key instead of one made from the seed, and don't print it; not for real keys; repeatable",
      repeated,
    )
    .option('--speed <x>', 'pace: 1 is a small service, 2 twice as fast, Infinity without delay', positive, 1)
    .option('--seed <n>', 'feeds every id and token; default 1', integer(Number.MAX_SAFE_INTEGER))
    .addOption(
      new Option('--profile <profile>', 'which facts of the interface hold')
        .choices(profiles)
        .default('interface'),
    )
    .option(
      '--switch <name=value>',
      'a detail that differs from the profile, such as content=inline; repeatable',
      repeated,
    )
    .option('--ffmpeg <program>', 'the program for codecs that the emulator lacks; default ffmpeg on PATH')
    .option('--no-ffmpeg', 'no such program: nodes that need it fail')
    .option(
      '--exec <command>',
      'run this in a shell, with the addresses and the key in its environment, and end with its exit code',
    )
    .option('--import <file>', 'go on from the state that --export has written (- is standard input)')
    .option(
      '--export <file>',
      'write the state to this file at the end: queue, history, uploads and other files, without keys',
    )
    .option(
      '--faults <file>',
      'what goes wrong, as JSON: a list of faults, or an object with seed and faults (- is standard input)',
    )
    .action(({ json = false, ...flags }: EmulateFlags) =>
      runCommand({ json }, (session) => emulate(session, flags)),
    );
};

const emulate = async (session: Session, flags: EmulateFlags): Promise<ExitName> => {
  const { io, stop, enterStage, endAs } = session;
  const { engines, machines, exec, export: target, ...own } = flags;
  const options = await optionsOf(session, own);
  if (engines !== undefined || machines !== undefined) {
    const alone = (['exec', 'import', 'export'] as const).find((name) => flags[name] !== undefined);
    if (alone !== undefined)
      throw new UsageError(
        `--${alone} is for one service: leave ${engines === undefined ? '--machines' : '--engines'} out`,
      );
    const played = { ...(engines !== undefined && { engines }), ...(machines !== undefined && { machines }) };
    return emulateEngines(session, options, played, (own) => startEmulator(own).catch(badOptions));
  }
  await using emulator = await startEmulator(options).catch(badOptions);
  enterStage('serve');
  if (exec === undefined) await serve(session, emulator, options);
  else endAs(await runBeside(exec, { io, env: { ...io.env, ...environmentOf(emulator) }, stop }));
  if (target !== undefined) await replaceFile(target, emulator.exportState());
  return 'done';
};

const optionsOf = async (
  session: Session,
  {
    acceptKey,
    faults,
    switch: details,
    import: source,
    ...flags
  }: Omit<EmulateFlags, 'engines' | 'machines' | 'exec' | 'export'>,
): Promise<EmulatorOptions> => ({
  ...(faults === undefined ? {} : await faultsOf(session, faults)),
  ...flags,
  ...(acceptKey === undefined ? {} : { acceptKeys: acceptKey }),
  ...(details === undefined ? {} : { switches: switchesOf(details) }),
  ...(source === undefined
    ? {}
    : { state: await readText(source, { stdin: session.io.stdin, stop: session.stop }) }),
});

/** Reports the addresses, and waits for the end. */
const serve = async (
  { report, allowKey, stop }: Session,
  { dialect, baseUrl, wsUrl, storageUrl, apiKey }: Emulator,
  { acceptKeys, switches }: EmulatorOptions,
): Promise<void> => {
  // A key from the options is never printed; a local server has none.
  const key = acceptKeys === undefined && dialect !== 'local' ? { apiKey } : {};
  if (key.apiKey !== undefined) allowKey(key.apiKey);
  // API v2 has streams; the socket is that of v1, where a switch serves that as well.
  const hasSocket = dialect !== 'v2' || switches?.v1Routes === true;
  report({ kind: 'emulator', dialect, baseUrl, ...(hasSocket && { wsUrl }), storageUrl, ...key });
  await firstValueFrom(fromAbortSignal(stop), { defaultValue: undefined });
};

/** What other commands, and programs that read it, find the service by; a local server has no key, and what there was is no key of it. */
const environmentOf = ({
  dialect,
  baseUrl,
  wsUrl,
  apiKey,
}: Emulator): Readonly<Record<string, string | undefined>> => ({
  PROMPTWIRE_BASE_URL: baseUrl,
  PROMPTWIRE_WS_URL: dialect === 'v2' ? undefined : wsUrl,
  PROMPTWIRE_DIALECT: dialect,
  PROMPTWIRE_API_KEY: dialect === 'local' ? undefined : apiKey,
  PROMPTWIRE_API_KEY_FILE: undefined,
});

const faultsOf = async (
  { io: { stdin }, stop }: Session,
  file: string,
): Promise<Pick<EmulatorOptions, 'faults' | 'seed'>> => {
  const { value } = await readJson(file, { stdin, stop });
  const read = readFaults(value);
  if ('faults' in read) return read;
  throw new UsageError(
    `the faults of ${file === '-' ? 'standard input' : file}: ${read.problems.join('; ')}`,
  );
};

/** `name=value`, the value a number, `true`, `false` or `null` where it reads as one, and otherwise a text. */
const switchesOf = (details: readonly string[]): NonNullable<EmulatorOptions['switches']> =>
  Object.fromEntries(
    details.map((detail) => {
      const [, name, text] = /^([^=]+)=(.*)$/su.exec(detail) ?? [];
      if (name === undefined || text === undefined) throw new UsageError('--switch takes name=value');
      return [name, valueOf(text)];
    }),
  );

const valueOf = (text: string): string | number | boolean | null => {
  if (['true', 'false', 'null'].includes(text)) return JSON.parse(text) as boolean | null;
  return text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text);
};

const badOptions = (error: unknown): never => {
  if (error instanceof RangeError) throw new UsageError(error.message);
  const code = errorCode(error);
  if (code === 'EADDRINUSE' || code === 'EACCES') {
    throw new UsageError('the port is taken, or not yours to take; --port 0 finds a free one');
  }
  throw error;
};

const dialects = Object.keys({ cloud: true, local: true, v2: true } satisfies Record<
  Emulator['dialect'],
  true
>);
const tiers = ['free', 'standard', 'creator', 'pro'];
const engines = ['0.3.40', '0.3.64', '0.6', '0.9', '0.26', 'latest'];
const profiles = ['interface', '2026', '2026-11'];
