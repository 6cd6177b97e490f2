import type { Command } from 'commander';
import type { CommonFlags, RunCommand } from '../run-command.js';
import { inspect } from '../input/inspection.js';
import { readDefinitions, readGraphText } from '../input/graph-file.js';
import { readWorkflowFile } from '../input/workflow-file.js';
import { sourceOf } from '../input/read-json.js';
import { withFrom, withJson, type FromFlags } from './common-options.js';

interface InspectFlags extends CommonFlags, FromFlags {
  readonly definitions?: string;
}

/** Adds `promptwire inspect`. */
export const addInspect = (program: Command, runCommand: RunCommand): void => {
  withJson(withFrom(program.command('inspect')))
    .description(
      'Print the workflow that a file holds or carries: its nodes, inputs, models and problems. No service is asked.',
    )
    .argument('<file>', 'workflow (JSON), or a picture or video that carries one; - is standard input')
    .option(
      '--definitions <file>',
      'convert a file of the editor by the node classes of this file (an answer of object_info)',
    )
    .action((file: string, flags: InspectFlags) =>
      runCommand(flags, async (session) => {
        const source = sourceOf(session, flags);
        const found = await readWorkflowFile(file, source);
        const definitions =
          flags.definitions === undefined ? undefined : await readDefinitions(flags.definitions, source);
        session.report({
          kind: 'inspected',
          inspection: inspect(
            found,
            readGraphText(found, { from: flags.from, warn: source.warn }),
            definitions,
          ),
        });
        return 'done';
      }),
    );
};
