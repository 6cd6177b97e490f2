import {
  type ConformanceOptions,
  type ConformanceReport,
  junitReport,
  runConformance,
  textReport,
  type Verdict,
} from '../../conformance.js';
import { type Command, Option } from 'commander';
import type { CommonFlags, RunCommand, Session } from '../run-command.js';
import type { ExitName } from '../exit-code.js';
import { integer, positive, repeated, withConnection } from './common-options.js';
import { replaceFile } from '../replace-file.js';
import { UsageError } from '../cli-io.js';

interface ConformanceFlags
  extends CommonFlags, Pick<ConformanceOptions, 'profile' | 'tier' | 'exclusive' | 'only'> {
  readonly budget: number;
  readonly patience: number;
  readonly junit?: string;
}

/** Adds `promptwire conformance`. */
export const addConformance = (program: Command, runCommand: RunCommand): void => {
  withConnection(program.command('conformance'))
    .description('Check the statements of the protocol on a service, as far as that does no harm.')
    .argument('[url]', 'address of the service, in place of --base-url')
    .option('--budget <n>', 'how many small jobs may be made; 0 only reads', integer(10_000), 0)
    .option('--only <number>', 'only the statements below this number, such as 2.4; repeatable', repeated)
    .addOption(
      new Option('--profile <profile>', 'which facts of the interface hold')
        .choices(['interface', '2026', '2026-11'])
        .default('interface'),
    )
    .addOption(
      new Option('--tier <tier>', 'plan of the account')
        .choices(['free', 'standard', 'creator', 'pro'])
        .default('standard'),
    )
    .option('--exclusive', 'the account is yours alone: play what ends all of its jobs as well')
    .option('--patience <seconds>', 'how long anything may take that has to come', positive, 30)
    .option('--junit <file>', "write the report as JUnit's XML to this file as well")
    .action((url: string | undefined, flags: ConformanceFlags) =>
      runCommand(url === undefined ? flags : { ...flags, baseUrl: url }, (session) =>
        conformance(session, flags),
      ),
    );
};

const conformance = async (session: Session, flags: ConformanceFlags): Promise<ExitName> => {
  const { report, stop } = session;
  const { baseUrl, wsUrl, apiKey, dialect = 'cloud' } = await session.settings();
  if (apiKey === undefined && dialect !== 'local')
    throw new UsageError('the statements need a key: set PROMPTWIRE_API_KEY_FILE, or give --key-file');
  const { profile, tier, exclusive, only, budget, patience, junit } = flags;
  const found = await runConformance({
    ...{ baseUrl, wsUrl, dialect, apiKey, profile, tier, exclusive, only, budget },
    patienceMs: patience * 1000,
    signal: stop,
    onVerdict: (verdict) => report({ kind: 'statement', ...verdict }),
  });
  report({ kind: 'conformance', text: textReport(found), ...countsOf(found) });
  if (junit !== undefined) await replaceFile(junit, junitReport(found));
  return found.verdicts.some(({ result }) => result === 'failed') ? 'unexpected' : 'done';
};

const countsOf = ({ verdicts, jobs }: ConformanceReport) => {
  const of = (result: Verdict['result']): number => verdicts.filter((one) => one.result === result).length;
  return { passed: of('passed'), failed: of('failed'), skipped: of('skipped'), jobs };
};
