import type { Command } from 'commander';
import { type CommonFlags, orThrow, type RunCommand, type Session } from '../session.js';
import type { ExitName } from '../exit-code.js';
import type { ObjectInfo } from '../../node.js';
import { withConnection } from './common-options.js';

/** Adds `promptwire nodes`. */
export const addNodes = (program: Command, runCommand: RunCommand): void => {
  withConnection(program.command('nodes'))
    .description('Print the node classes of the service, or one with its inputs.')
    .argument('[class]', 'name of a node class')
    .action((nodeClass: string | undefined, flags: CommonFlags) =>
      runCommand(flags, async (session) => {
        const { rest } = await session.connect();
        const info = orThrow(await rest.objectInfo({ signal: session.stop })());
        return nodeClass === undefined ? listAll(session, info) : showOne(session, info, nodeClass);
      }),
    );
};

const listAll = ({ report }: Session, classes: ObjectInfo): ExitName => {
  const sorted = Object.entries(classes).sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [name, info] of sorted) report({ kind: 'nodeClass', name, info, whole: false });
  return 'done';
};

const showOne = ({ report }: Session, classes: ObjectInfo, name: string): ExitName => {
  const info = Object.hasOwn(classes, name) ? classes[name] : undefined;
  if (info !== undefined) {
    report({ kind: 'nodeClass', name, info, whole: true });
    return 'done';
  }
  const alike = Object.keys(classes).filter((known) => known.toLowerCase().includes(name.toLowerCase()));
  const advice = alike.length > 0 ? `; there is ${alike.slice(0, 5).join(', ')}` : '';
  report({ kind: 'error', error: new UnknownClass(`the service has no node class ${name}${advice}`) });
  return 'untraceable';
};

class UnknownClass extends Error {
  override readonly name = 'UnknownClass';
}
