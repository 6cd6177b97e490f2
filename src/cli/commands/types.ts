import type { Command } from 'commander';
import type { CommonFlags, RunCommand, Session } from '../run-command.js';
import { declarationsOf, type Declared } from '../types/declarations.js';
import { definitionsInFile, definitionsOnTheWay } from '../types/definitions-stream.js';
import type { ExitName } from '../exit-code.js';
import { NoMembers } from '../types/members-of.js';
import { open, rename, rm } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { UsageError } from '../cli-io.js';
import { withBaseUrl, withConnection } from './common-options.js';

interface TypesFlags extends CommonFlags {
  readonly out: string;
  readonly definitions?: string;
}

/** Adds `promptwire types`. */
export const addTypes = (program: Command, runCommand: RunCommand): void => {
  withBaseUrl(withConnection(program.command('types')))
    .description(
      'Write the TypeScript declarations of the node classes of the service, for `graph<Nodes>()`.',
    )
    .requiredOption(
      '--out <file>',
      'write them to this file, such as nodes.d.ts; an existing one is replaced',
    )
    .option('--definitions <file>', 'take the node classes from this file, not from the service')
    .action((flags: TypesFlags) => runCommand(flags, (session) => declare(session, flags)));
};

const declare = async (session: Session, { out, definitions }: TypesFlags): Promise<ExitName> => {
  const source =
    definitions === undefined ? definitionsOnTheWay(session) : definitionsInFile(definitions, session);
  const { classes, unreadable } = await write(out, declarationsOf(source)).catch((error: unknown) => {
    throw error instanceof NoMembers
      ? new UsageError(
          `${definitions ?? 'the answer of the service'} holds no node classes: ${error.message}`,
        )
      : error;
  });
  if (unreadable.length > 0) session.report({ kind: 'warning', message: leftOut(unreadable) });
  session.report({ kind: 'declared', path: out, classes });
  return 'done';
};

const leftOut = (classes: readonly string[]): string => {
  const names = `${classes.slice(0, 5).join(', ')}${classes.length > 5 ? ', …' : ''}`;
  return classes.length === 1
    ? `one node class was left out, as it can't be read: ${names}`
    : `${classes.length} node classes were left out, as they can't be read: ${names}`;
};

/** Writes the pieces beside the file, and gives the result its name once it is whole. */
const write = async (path: string, pieces: AsyncGenerator<string, Declared>): Promise<Declared> => {
  const draft = `${path}.${randomUUID()}`;
  const file = await open(draft, 'wx').catch((error: unknown) => {
    throw new UsageError(`can't write ${path}: ${codeOf(error)}`);
  });
  try {
    let text = '';
    let next = await pieces.next();
    for (; next.done !== true; next = await pieces.next()) {
      text += next.value;
      if (text.length < bufferLength) continue;
      await file.write(text);
      text = '';
    }
    await file.write(text);
    await file.close();
    await rename(draft, path).catch((error: unknown) => {
      throw new UsageError(`can't write ${path}: ${codeOf(error)}`);
    });
    return next.value;
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(draft, { force: true });
    throw error;
  }
};

const bufferLength = 256 * 1024;

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error);
