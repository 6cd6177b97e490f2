import { textToImageWorkflow } from '../../../src/emulator.js';
import { exitCodes } from '../../../src/cli/exit-code.js';
import { slowWorkflow } from '../../cli/helpers/workflows.js';
import { type CommandCase, differs } from './command-case.js';
import { runCommand } from './run-command.js';
import { openWorkplace } from './workplace.js';

const endless = slowWorkflow(100_000);

/** Readers that go away, output that is no terminal, and signals that come twice. */
export const pipeCases = (): readonly CommandCase[] => [
  ...(['detach', 'cancel'] as const).flatMap((policy) =>
    (['the start', 'in_progress'] as const).map((from) => ({
      name: `nobody reads from ${from} on, --on-interrupt ${policy}`,
      run: (main: string) => unread(main, from, policy),
    })),
  ),
  ...(['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map((signal) => ({
    name: `SIGINT, then ${signal}, while the service does not answer a cancellation`,
    run: (main: string) => twice(main, signal),
  })),
  ...[['--json'], ['--no-preview'], []].map((flags) => ({
    name: `no terminal, ${flags.join()}`,
    run: (main: string) => plain(main, flags),
  })),
];

const unread = async (main: string, from: string, policy: string): Promise<readonly string[]> => {
  await using place = await openWorkplace({ speed: 2 });
  const argv = ['run', await place.file('wf.json', endless), '--json', '--on-interrupt', policy];
  const running = runCommand({ main, argv, env: place.env });
  if (from !== 'the start') await running.waitForText(from);
  running.stopReading();
  return [
    ...differs('exit code', await running.ended, exitCodes.pipe.code),
    ...differs('standard error', running.stderr(), ''),
    ...differs('deleted', place.deleted(), []),
    ...differs('interrupts', place.interrupts(), 0),
    ...differs(
      'jobs that go on',
      place.emulator.ledger.jobs.map(({ state }) => isOver(state)),
      [false],
    ),
  ];
};

const isOver = (state: string): boolean => state !== 'pending' && state !== 'in_progress';

const twice = async (main: string, second: 'SIGINT' | 'SIGTERM' | 'SIGHUP'): Promise<readonly string[]> => {
  await using place = await openWorkplace({ speed: 0.5 });
  const gate = await place.gate('POST /api/queue');
  const argv = ['run', await place.file('wf.json', endless), '--json', '--on-interrupt', 'cancel'];
  const running = runCommand({ main, argv, env: { ...place.env, PROMPTWIRE_BASE_URL: gate.baseUrl } });
  await running.waitForText('in_progress');
  running.kill('SIGINT');
  await Promise.race([gate.arrived, running.ended]);
  running.kill(second);
  return [
    ...differs('exit code', await running.ended, exitCodes[second].code),
    ...differs('deletions', place.deleted().length, 1),
  ];
};

const plain = async (main: string, flags: readonly string[]): Promise<readonly string[]> => {
  await using place = await openWorkplace();
  const workflow = await place.file('wf.json', textToImageWorkflow({ steps: 2, width: 64, height: 64 }));
  const argv = ['run', workflow, '--out', `${place.dir}/out`, '--include', 'temp', ...flags];
  const env = { ...place.env, TERM: 'xterm-256color', COLORTERM: 'truecolor' };
  const running = runCommand({ main, argv, env });
  const code = await running.ended;
  const written = running.stdout() + running.stderr();
  return [
    ...differs('exit code', code, exitCodes.done.code),
    ...differs('escapes', controls.exec(written)?.[0], undefined),
    ...differs('files', (await place.saved()).length, 2),
  ];
};

/** All but line ends. */
const controls = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/u;
