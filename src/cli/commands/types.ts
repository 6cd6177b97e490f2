import { type Command, Option } from 'commander';
import type { CommonFlags, RunCommand, Session } from '../run-command.js';
import { declarationsOf, type Declared } from '../types/declarations.js';
import { definitionsOfFile, streamedDefinitions } from '../types/definitions-stream.js';
import type { ExitName } from '../exit-code.js';
import { UnreadableObject } from '../types/members-of.js';
import { replaceFile } from '../replace-file.js';
import { UsageError } from '../cli-io.js';
import { boundOf } from '../settings.js';
import { withConnection } from './common-options.js';

interface TypesFlags extends CommonFlags {
  readonly output?: string;
  /** The name that `--output` had before. */
  readonly out?: string;
  readonly definitions?: string;
}

/** Adds `promptwire types`. */
export const addTypes = (program: Command, runCommand: RunCommand): void => {
  withConnection(program.command('types'))
    .description(
      'Write the TypeScript declarations of the node classes of the service, for `graph<Nodes>()`.',
    )
    .option('-o, --output <file>', 'write them to this file, such as nodes.d.ts; an existing one is replaced')
    .addOption(new Option('--out <file>', 'deprecated: --output'))
    .option(
      '--definitions <file>',
      'take the node classes from this file (an answer of object_info; - is standard input), not from the service',
    )
    .action((flags: TypesFlags) => runCommand(flags, (session) => declare(session, flags)));
};

const declare = async (session: Session, flags: TypesFlags): Promise<ExitName> => {
  const { definitions } = flags;
  const path = fileOf(session, flags);
  const { maxAnswerBytes } = boundOf(
    session.io.env,
    'maxAnswerBytes',
    'PROMPTWIRE_MAX_ANSWER_BYTES',
    flags.maxAnswerBytes,
  );
  const source =
    definitions === undefined ? streamedDefinitions(session) : definitionsOfFile(definitions, session);
  const { classes, unreadable } = await write(path, declarationsOf(source, maxAnswerBytes)).catch(
    (error: unknown) => {
      throw error instanceof UnreadableObject
        ? new UsageError(
            `${definitions ?? 'the answer of the service'} holds no node classes: ${error.message}`,
          )
        : error;
    },
  );
  if (unreadable.length > 0) session.report({ kind: 'warning', message: leftOut(unreadable) });
  session.report({ kind: 'declared', path, classes });
  return 'done';
};

/** The file to write; `--out` is what it was called before, and elsewhere names a folder. */
const fileOf = ({ report }: Session, { output, out }: TypesFlags): string => {
  if (out !== undefined) report({ kind: 'warning', message: '--out is now --output: it names a file here' });
  const path = output ?? out;
  if (path === undefined) throw new UsageError('where to? Name a file with --output, such as nodes.d.ts');
  return path;
};

const leftOut = (classes: readonly string[]): string => {
  const names = `${classes.slice(0, 5).join(', ')}${classes.length > 5 ? ', …' : ''}`;
  return classes.length === 1
    ? `one node class was left out, as it can't be read: ${names}`
    : `${classes.length} node classes were left out, as they can't be read: ${names}`;
};

/** Replaces the file by the pieces once the last one is there; where that fails, ends what the pieces are made of. */
const write = async (path: string, pieces: AsyncGenerator<string, Declared>): Promise<Declared> => {
  let declared: Declared = { classes: 0, unreadable: [] };
  async function* texts(): AsyncGenerator<string> {
    declared = yield* pieces;
  }
  await replaceFile(path, buffered(texts()));
  return declared;
};

/** Joins pieces, so that each write is a large one. */
async function* buffered(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let text = '';
  for await (const piece of pieces) {
    text += piece;
    if (text.length < bufferLength) continue;
    yield text;
    text = '';
  }
  yield text;
}

const bufferLength = 256 * 1024;
