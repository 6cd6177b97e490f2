import { type Command, InvalidArgumentError } from 'commander';
import { type CommonFlags, type RunCommand, type Session } from '../run-command.js';
import { EMPTY, find, firstValueFrom, Subject } from 'rxjs';
import { type ExitName, exitOfJob } from '../exit-code.js';
import { type Frame, isServiceError, type JobState, outputFiles } from '../../node.js';
import { jobFrom, replayFrames } from '../../testing.js';
import { readText, sourceOf } from '../input/read-json.js';
import { UsageError } from '../cli-io.js';
import { watchJob } from './watch-job.js';
import { positive, withJson } from './common-options.js';

interface ReplayFlags extends CommonFlags {
  readonly speed: number | 'max';
  readonly job?: string;
  readonly maxMessageBytes?: number;
}

/** Adds `promptwire replay`. */
export const addReplay = (program: Command, runCommand: RunCommand): void => {
  withJson(program.command('replay'))
    .description('Play a recorded job as run shows it; nothing is sent, and nothing is saved.')
    .argument('<file>', 'recording of run --record, or HAR of a browser; - is standard input')
    .option('--speed <n>', 'so many times as fast as recorded, or max for no wait', speed, 1)
    .option('--job <id>', 'the job to play, where the recording has several; default the first')
    .option(
      '--max-message-bytes <n>',
      'largest message that is played, as it was before its picture was left out; default 256 MiB',
      positive,
    )
    .option('--no-preview', 'show no preview pictures')
    .action((file: string, flags: ReplayFlags) =>
      runCommand(flags, (session) => replay(session, file, flags)),
    );
};

const speed = (text: string): number | 'max' => {
  if (text === 'max') return text;
  const value = Number(text);
  if (text.trim() === '' || !(value > 0)) throw new InvalidArgumentError('It is a number above 0, or max.');
  return value;
};

const replay = async (session: Session, file: string, flags: ReplayFlags): Promise<ExitName> => {
  const source = { text: await readText(file, sourceOf(session)) };
  const { maxMessageBytes } = flags;
  const promptId = flags.job ?? (await firstJobOf(source, maxMessageBytes));
  const frames = new Subject<Frame>();
  const job = jobFrom(frames, { promptId });
  const { states } = job;
  // What follows a stopped command elsewhere, `promptwire follow`, has no place here.
  const quiet = { ...session, enterStage: () => undefined };
  const client = { connection: EMPTY, stops: EMPTY };
  const watching = watchJob(quiet, { client, promptId, states, frames: job.frames, titles: new Map() });
  const playing = replayFrames(source, { speed: flags.speed, maxMessageBytes }).subscribe(frames);
  try {
    return finish(session, await watching);
  } catch (error) {
    if (!isServiceError(error) || error._tag !== 'Closed') throw error;
    session.report({ kind: 'warning', message: 'the recording ends before the job does' });
    return 'goesOn';
  } finally {
    playing.unsubscribe();
  }
};

const firstJobOf = async (
  source: { readonly text: string },
  maxMessageBytes: number | undefined,
): Promise<string> => {
  const frames = replayFrames(source, { speed: 'max', maxMessageBytes });
  const ofJob = frames.pipe(find(({ promptId }) => promptId !== undefined));
  const first = await firstValueFrom(ofJob, { defaultValue: undefined });
  if (first?.promptId === undefined) throw new UsageError('the recording names no job');
  return first.promptId;
};

const finish = ({ report, enterStage }: Session, last: JobState): ExitName => {
  const { promptId, failure, outputs } = last;
  enterStage('ended', promptId);
  if (failure !== undefined) report({ kind: 'failure', promptId, failure });
  for (const output of outputFiles(outputs)) report({ kind: 'output', promptId, file: output });
  return exitOfJob(last);
};
