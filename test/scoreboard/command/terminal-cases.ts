import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exitCodes } from '../../../src/cli/exit-code.js';
import { textToImageWorkflow } from '../../../src/emulator.js';
import { screen } from '../../cli/helpers/screen.js';
import { failingWorkflow, slowWorkflow } from '../../cli/helpers/workflows.js';
import { type CommandCase, differs } from './command-case.js';
import { strictFlags } from '../play-range.js';
import { watchProgram } from './run-command.js';
import { openWorkplace } from './workplace.js';

/** What ends a run in a terminal. */
interface TerminalEnd {
  readonly name: string;
  readonly workflow: object;
  readonly flags?: readonly string[];
  readonly exit: keyof typeof exitCodes;
  /** What is done once the live block stands: signals, or keys that are typed. */
  readonly acts?: readonly (NodeJS.Signals | '\u0003')[];
}

const endless = slowWorkflow(100_000);
const small = textToImageWorkflow({ steps: 3, width: 64, height: 64 });

const ends: readonly TerminalEnd[] = [
  { name: 'done', workflow: small, exit: 'done' },
  { name: 'job failed', workflow: failingWorkflow('OOMError'), exit: 'failed' },
  { name: 'Ctrl-C', workflow: endless, exit: 'SIGINT', acts: ['\u0003'] },
  { name: 'Ctrl-C twice', workflow: endless, exit: 'SIGINT', acts: ['\u0003', '\u0003'] },
  ...(['SIGINT', 'SIGTERM', 'SIGHUP'] as const).flatMap((signal): readonly TerminalEnd[] => [
    { name: signal, workflow: endless, exit: signal, acts: [signal] },
    { name: `${signal} twice`, workflow: endless, exit: signal, acts: [signal, signal] },
  ]),
  {
    name: 'Ctrl-C with --on-interrupt cancel',
    workflow: endless,
    flags: ['--on-interrupt', 'cancel'],
    exit: 'SIGINT',
    acts: ['\u0003'],
  },
];

/** Runs in a pseudo-terminal, which has to be left as it was found; none where there is no `script` to make one. */
export const terminalCases = (): readonly CommandCase[] =>
  hasScript()
    ? ends.map((end) => ({ name: `in a terminal: ${end.name}`, run: (main) => inTerminal(main, end) }))
    : [];

const hasScript = (): boolean => {
  try {
    return execFileSync('script', ['--version'], { encoding: 'utf8' }).includes('util-linux');
  } catch {
    return false;
  }
};

const inTerminal = async (
  main: string,
  { workflow, flags = [], exit, acts = [] }: TerminalEnd,
): Promise<readonly string[]> => {
  await using place = await openWorkplace({ speed: acts.length > 0 ? 2 : 20 });
  const note = (name: string): string => join(place.dir, name);
  const words = ['run', await place.file('wf.json', workflow), '--out', note('out'), ...flags];
  const node = [process.execPath, ...strictFlags, main, ...words].map((word) => `'${word}'`).join(' ');
  // The shell outlives what Ctrl-C ends, as the one does in which a person sits.
  const shell = [
    `trap : INT; stty -g > ${note('before')}`,
    `sh -c 'echo $$ > ${note('pid')}; exec "$@"' sh ${node}`,
    `echo $? > ${note('code')}; stty -g > ${note('after')}`,
  ].join('; ');
  const running = watchProgram('script', ['-q', '-e', '-c', shell, '/dev/null'], {
    ...place.env,
    TERM: 'xterm-256color',
    SHELL: '/bin/sh',
  });
  const isDrawn = await running.waitForText(hideCursor);
  for (const act of acts) {
    if (act === '\u0003') await running.type(act);
    else process.kill(Number(await readFile(note('pid'), 'utf8')), act);
  }
  await running.ended;
  const read = (name: string): Promise<string> => readFile(note(name), 'utf8').catch(() => 'nothing');
  const shown = screen(80, 24);
  const text = running.stdout();
  shown.feed(text);
  return [
    ...(isDrawn ? [] : ['nothing was drawn']),
    ...differs('exit code', Number(await read('code')), exitCodes[exit].code),
    ...differs('the line discipline', await read('after'), await read('before')),
    ...differs('the cursor is seen', shown.cursorVisible(), true),
    ...differs('drawings left open', count(text, '\u001b[?2026h') - count(text, '\u001b[?2026l'), 0),
    ...differs('deletions', place.deleted().length, flags.length > 0 ? 1 : 0),
  ];
};

const hideCursor = '\u001b[?25l';

const count = (text: string, part: string): number => text.split(part).length - 1;
