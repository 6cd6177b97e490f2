import { type Command, Option } from 'commander';
import { firstValueFrom } from 'rxjs';
import { type EmulatorOptions, startEmulator } from '../../emulator/index.js';
import { aborted } from '../aborted.js';
import type { CommonFlags, Perform } from '../session.js';
import { UsageError } from '../usage-error.js';
import { integer, positive, repeated, withJson } from './common-options.js';

interface EmulateFlags
  extends CommonFlags, Pick<EmulatorOptions, 'port' | 'tier' | 'profile' | 'speed' | 'seed'> {
  readonly acceptKey?: readonly string[];
}

/** Adds `promptwire emulate`. */
export const addEmulate = (program: Command, perform: Perform): void => {
  withJson(program.command('emulate'))
    .description('Run the service itself on this machine, until Ctrl-C, and print its addresses.')
    .option('--port <n>', 'port on 127.0.0.1; 0 is a free one', integer(65_535), 0)
    .addOption(new Option('--tier <tier>', 'plan of the account').choices(tiers).default('creator'))
    .option('--accept-key <key>', 'accept this key instead of one made from the seed; repeatable', repeated)
    .option('--speed <x>', 'pace: 1 is a small service, 2 twice as fast, Infinity without delay', positive, 1)
    .option('--seed <n>', 'feeds every id and token', integer(Number.MAX_SAFE_INTEGER), 1)
    .addOption(
      new Option('--profile <profile>', 'which facts of the interface hold')
        .choices(profiles)
        .default('interface'),
    )
    .action(({ acceptKey, port, tier, profile, speed, seed, ...flags }: EmulateFlags) =>
      perform(flags, async ({ report, stop, reached }) => {
        const given = {
          port,
          tier,
          profile,
          speed,
          seed,
          ...(acceptKey === undefined ? {} : { acceptKeys: acceptKey }),
        };
        await using emulator = await startEmulator(given).catch(portTaken);
        reached('serve');
        const { baseUrl, wsUrl, storageUrl, apiKey } = emulator;
        // A key of the caller's own is known to the caller, and printed nowhere.
        report({
          kind: 'emulator',
          baseUrl,
          wsUrl,
          storageUrl,
          ...(acceptKey === undefined ? { apiKey } : {}),
        });
        await firstValueFrom(aborted(stop), { defaultValue: undefined });
        return 'done';
      }),
    );
};

const portTaken = (error: unknown): never => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE' || code === 'EACCES') {
    throw new UsageError('the port is taken, or not yours to take; --port 0 finds a free one');
  }
  throw error;
};

const tiers = ['free', 'standard', 'creator', 'pro'];
const profiles = ['interface', '2026'];
