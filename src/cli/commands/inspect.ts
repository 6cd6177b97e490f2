import type { Command } from 'commander';
import type { CommonFlags, RunCommand } from '../run-command.js';
import { inspect } from '../inspect/inspection.js';
import { readGraphText } from '../input/graph-file.js';
import { readWorkflowFile } from '../input/workflow-file.js';
import { withJson } from './common-options.js';

/** Adds `promptwire inspect`. */
export const addInspect = (program: Command, runCommand: RunCommand): void => {
  withJson(program.command('inspect'))
    .description('Print the workflow that a file holds or carries: its nodes, inputs, models and problems.')
    .argument('<file>', 'workflow (JSON), or a picture or video that carries one; - is standard input')
    .action((file: string, flags: CommonFlags) =>
      runCommand(flags, async ({ io, stop, report }) => {
        const found = await readWorkflowFile(file, { stdin: io.stdin, stop });
        report({ kind: 'inspected', inspection: inspect(found, readGraphText(found)) });
        return 'done';
      }),
    );
};
