import { cancelCommand, type EndEvent, resumeCommand } from './cli-event.js';
import { duration } from '../terminal/format.js';
import type { ExitName } from '../exit-code.js';
import type { Line } from '../terminal/line.js';

/** What the last event of a command says: how it ended, and the commands that go on from here. */
export const endLines = (event: EndEvent): readonly Line[] => {
  const { exit, stage, elapsedMs } = event;
  const resume = resumeCommand(event);
  if (resume !== undefined) return resumeLines(event, resume);
  const say = stage === 'ended' ? endWords.get(exit) : undefined;
  if (say !== undefined) return [[say]];
  if (stoppedEarly.has(exit)) return [[stoppedText(event)]];
  return exit === 'done' && (stage === 'ended' || stage === 'download')
    ? [[{ text: 'Done', style: 'green' }, ` in ${duration(elapsedMs)}`]]
    : [];
};

/** How to go on, and how to cancel a job that still runs. */
const resumeLines = (event: EndEvent, resume: string): readonly Line[] => {
  const { exit, stage } = event;
  const words = exit === 'incomplete' ? 'Files may be missing. To look again:' : (resumeWords[stage] ?? '');
  const cancel = stage === 'watch' && stoppedEarly.has(exit) ? cancelCommand(event) : undefined;
  return [
    ...commandLines(words, resume),
    ...(cancel === undefined ? [] : commandLines('To cancel it:', cancel)),
  ];
};

const commandLines = (words: string, command: string): readonly Line[] => [
  [words],
  ['  ', { text: command, style: 'bold' }],
];

const stoppedText = ({ stage, promptId }: EndEvent): string => {
  if (promptId !== undefined) return `Stopped. So far the service has shown no job ${promptId}.`;
  return stage === 'prepare' || stage === 'submit' ? 'Stopped before anything was submitted.' : 'Stopped.';
};

const resumeWords: Partial<Readonly<Record<EndEvent['stage'], string>>> = {
  watch: 'The job goes on. To watch it:',
  cancel: 'To see how it ended:',
  download: 'The job is over. To fetch its files:',
};

const endWords: ReadonlyMap<ExitName, string> = new Map([
  ...(['failed', 'invalidWorkflow', 'billing'] as const).map((exit) => [exit, 'The job failed.'] as const),
  ['cancelled', 'The job was cancelled.'],
  ['untraceable', 'No source of the service knows this job any more.'],
]);

const stoppedEarly: ReadonlySet<ExitName> = new Set<ExitName>(['SIGINT', 'SIGTERM', 'SIGHUP', 'timeout']);
